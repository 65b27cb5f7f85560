import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { decode } from '@toon-format/toon';
import { type Baton, openBaton } from '../../packages/batonpass/src/operations/baton.ts';

/** A project whose plans are asked about by messages alone. */
export interface MessageStage {
  folder: string;
  baton: Baton;
  /** Sends a message and gives the answer, as the official decoder reads it in strict mode. */
  send: (message: string) => Promise<Record<string, unknown>>;
  /** Writes a file below the project. */
  write: (path: string, text: string) => void;
  /** Every file of the project with its bytes, and every folder: what an error must not change. */
  snapshot: () => Record<string, string>;
  close: () => Promise<void>;
}

/** Opens a stage in its own folder. */
export async function openMessageStage(): Promise<MessageStage> {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'baton-messages-')));
  const environment = { HOME: join(folder, '.home'), XDG_STATE_HOME: join(folder, '.state') };
  const baton = await openBaton({ cwd: folder, environment, store: 'memory:' });
  return {
    folder,
    baton,
    send: async (message) => {
      const { text } = await baton.run('plan.answer', { message });
      return decode(text) as Record<string, unknown>;
    },
    write: (path, text) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    },
    snapshot: () => snapshotOf(folder),
    close: async () => {
      await baton.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function snapshotOf(folder: string): Record<string, string> {
  if (!existsSync(folder)) return {};
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(
    paths.map((path) => [
      path,
      statSync(join(folder, path)).isDirectory() ? 'folder' : readFileSync(join(folder, path), 'latin1'),
    ]),
  );
}
