import { bloat } from './bloat.ts';
import { commandLine } from './command-line.ts';
import { extract } from './extract.ts';
import { files } from './files.ts';
import type { Benchmark } from './frame.ts';
import { growth } from './growth.ts';
import { hosts } from './hosts.ts';
import { http } from './http.ts';
import { plan } from './plan.ts';
import { postgres } from './postgres.ts';
import { queue } from './queue.ts';
import { scale } from './scale.ts';
import { studio } from './studio.ts';
import { wake } from './wake.ts';

/** Every benchmark there is. */
export const benchmarks: readonly Benchmark[] = [
  commandLine,
  hosts,
  queue,
  growth,
  wake,
  plan,
  files,
  extract,
  http,
  postgres,
  bloat,
  scale,
  studio,
];
