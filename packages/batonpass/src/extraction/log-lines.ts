/** Only the beginning of a long line is checked. */
const lineCharactersRead = 500;

/** Openings of lines that programs print, and of code. */
const logOpening =
  /^\s*(?:\$ |curl ["'-]|❯ |➜ |> |PS [A-Z]:\\|[^\s>]{1,60}\\[^>\n]{0,120}>|[dl-][r-][w-][xs-][rwxst-]{6}|total \d+$|(?:bash|zsh|sh|fish|cmd|g?make(?:\[\d+\])?): |[\w.-]+: (?:error|warning|fatal|note)\b|[\w+]*\w(?:[-.][\w+]+)+: \S|(?:\([\w.-]+\) )?\(?[\w.-]+@[\w.-]+[:~ ]|at \S+[ (]|@ |Traceback|File "|\w*(?:Error|Exception|Warning)\b(?:[:(]| \([\w .-]{1,40}\): )|(?:error|fatal|warning|info|debug|warn|remote|hint|npm ERR!|\[?(?:ERROR|WARN|INFO|DEBUG|FATAL|TRACE)\]?)\b\s*[:!\]|[]|\[\d|\[?\d{4}-\d{2}-\d{2}[T ]|\[?\d{1,2}:\d{2}:\d{2}|[+-]{3} |@@ |diff --git|index [0-9a-f]{7}|commit [0-9a-f]{7,40}|create mode|[<{}[\]|]|<\/?\w|(?:import|export|const|let|var|def|class|function|public|private|return|if|for|while) .*[;{(:]\s*$|[├└│]|={4,}|-{4,}|\*{4,}|0x[0-9a-f]|\d+ (?:passing|failing|passed|failed)\b)/i;

/** Ends and marks that sentences do not have. */
const logShape =
  /^\S.{0,60} ✗(?:\s|$)|command not found\s*$|\w@[\w-]+:[~/][^\s$#]*[$#](?:\s|$)|\[Errno \d+\]|^\S+-\d+\s+\| |^(?:import [\w.]+(?: as \w+)?|from [\w.]+ import [\w*, ()]+)$|is not recognized as an internal or external command|[;{}]\s*$|\)\s*=>\s*|:\d+:\d+\)?\s*$|\b[0-9a-f]{12,40}\b|<\/\w+>|\w+\(\)\s*$|\s{4,}\d[\d.,]* ?m?s\s*$|^\s*(?:end|\),?|[\w. ]+\(|\w+ (?:\S.*)?:\w+ do)\s*$|^\s{2,}\w+: \S.*,\s*$|^\s{4,}\S.*(?:[{}]|\s=\s|\);?$)|^[\w./-]+\s*[:=]\s*["'\d[{]|^\s*"[^"\n]{1,60}"\s*:\s/;

/** A line of a file. A program's message begins with it; a sentence can name it, too. */
const fileAndLine = /\S*\.\w{1,5}(?:\?\S{1,40})?:\d+(?:[:-]\d+)?/;
const opensMessage = /^\s*\S+\.\w{1,5}(?:\?\S{1,40})?:\d/;
/** The rest of such a sentence: at least three words, or some characters of a script without spaces. */
const sentenceShape = /(?:\p{L}+[\s,:]+){3,}|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]{4,}/u;

/** "[Image #1]", "[Pasted text #2 +12 lines]", "[Image: source: shot.png]". */
const attachmentMark = /^\s*(?:\[\p{L}[\p{L} ]{0,30}(?:#\d{1,4}|: ?[^\]\n]{1,200}\.\w{1,5})[^\]\n]{0,40}\]\s*)+(?=\S)/u;

/** A file that the person points at, as hosts write it: "@src/app.ts:3-9". */
const reference = /(?<=^|\s)@[^\s@()]*[/\\.][^\s()]*(?=\s|$)/g;

/** An address, which makes no sentence a log line. */
const address = /\S+:\/\/\S+/g;

/** A line without the marks that a host puts before the words for what the person attached. */
export function withoutAttachmentMarks(line: string): string {
  return line.replace(attachmentMark, '');
}

/** Whether a line is what programs print or read, by its shape. */
export function isLogLine(whole: string): boolean {
  // What a line is shows at its beginning; patterns that look for an end take long over a long one.
  const line = withoutAttachmentMarks(whole.slice(0, lineCharactersRead)).replace(reference, ' ');
  const text = line.trim();
  if (text === '') return false;
  if (logOpening.test(line) || logShape.test(line.replace(address, ' '))) return true;
  const location = fileAndLine.exec(line);
  if (location !== null) return opensMessage.test(line) || !sentenceShape.test(line.replace(location[0], ' '));
  // Sentences are letters and spaces for the most part; data is not.
  const prose = text.replace(address, ' ').trim();
  const letters = prose.match(/[\p{L}\p{M}\s]/gu)?.length ?? 0;
  return prose.length >= 12 && letters / prose.length < 0.6;
}
