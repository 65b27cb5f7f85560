import { createHash, randomUUID } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Where a session's rows go, and what each of them has besides its own fields. */
export interface TranscriptOptions {
  home: string;
  cwd: string;
  session: string;
  branch: string;
  /** Milliseconds since 1970. */
  now: () => number;
}

/** The longest name of a project's folder; a longer one is cut and gets a hash. */
const folder_characters_max = 200;

/** The transcript of one session: rows in a chain, each appended as one line. */
export class HostTranscript {
  readonly path: string;
  private readonly options: TranscriptOptions;
  private parent: string | null = null;

  constructor(options: TranscriptOptions) {
    this.options = options;
    const encoded = options.cwd.replace(/[^A-Za-z0-9]/g, '-');
    const hash = createHash('sha256').update(options.cwd).digest('hex').slice(0, 8);
    const folder =
      encoded.length <= folder_characters_max ? encoded : `${encoded.slice(0, folder_characters_max)}-${hash}`;
    this.path = join(options.home, '.claude', 'projects', folder, `${options.session}.jsonl`);
    mkdirSync(dirname(this.path), { recursive: true });
    // A session that is resumed continues at its last row.
    this.parent = existsSync(this.path) ? lastRow(this.path) : null;
  }

  /** Appends a row of this type. */
  append(type: string, fields: Readonly<Record<string, unknown>>): void {
    const { cwd, session, branch, now } = this.options;
    const uuid = randomUUID();
    const row = {
      parentUuid: this.parent,
      isSidechain: false,
      userType: 'external',
      cwd,
      sessionId: session,
      version: '2.1.233',
      gitBranch: branch,
      type,
      uuid,
      timestamp: new Date(now()).toISOString(),
      ...fields,
    };
    this.parent = uuid;
    appendFileSync(this.path, `${JSON.stringify(row)}\n`);
  }

  /** A file next to the transcript, in the session's own folder, which is created. */
  besides(...names: string[]): string {
    const path = join(this.path.replace(/\.jsonl$/, ''), ...names);
    mkdirSync(dirname(path), { recursive: true });
    return path;
  }
}

function lastRow(path: string): string | null {
  const last = readFileSync(path, 'utf8').trimEnd().split('\n').at(-1);
  return last ? ((JSON.parse(last) as { uuid?: string }).uuid ?? null) : null;
}
