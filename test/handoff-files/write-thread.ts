import { parentPort, workerData } from 'node:worker_threads';
import { nextHandoffFile } from '../../packages/batonpass/src/handoff-files/write-handoff-file.ts';
import { findings, unversioned } from './samples.ts';
import type { Written } from './write-worker.ts';

/** One thread that writes one handoff file into a folder, and reports it. */
const { folder } = workerData as { folder: string };
const body = crypto.randomUUID();
const path = await nextHandoffFile(folder, unversioned(findings), `${body}\n`);
parentPort?.postMessage({ path, body } satisfies Written);
