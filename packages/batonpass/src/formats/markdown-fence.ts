/** Follows the fenced blocks of a Markdown text, line by line. */
export class MarkdownFence {
  private open: string | undefined;

  /** Whether the lines read so far end within a block. */
  get isOpen(): boolean {
    return this.open !== undefined;
  }

  /** Reads one line; of a block, its first and its last line are read too. */
  read(line: string): void {
    const fence = /^[ \t>]{0,20}(?<marks>`{3,20}|~{3,20})(?<after>.{0,100})/.exec(line)?.groups;
    if (fence?.marks === undefined) return;
    const { marks, after = '' } = fence;
    if (this.open === undefined) {
      if (marks.startsWith('~') || !after.includes('`')) this.open = marks;
    } else if (marks.startsWith(this.open) && after.trim() === '') {
      this.open = undefined;
    }
  }

  /** Treats the open block as one that was never closed. */
  reset(): void {
    this.open = undefined;
  }
}
