import { join } from 'node:path';
import { openSqliteStore } from '../../packages/batonpass/src/stores/sqlite/store.ts';
import { exercise } from './exercise.ts';
import { createFolders } from './folders.ts';

const newFolder = createFolders();

exercise({
  name: 'sqlite in a file',
  open: (surroundings) => openSqliteStore(join(newFolder(), 'baton.db'), surroundings),
  capabilities: { durable: true, concurrent_processes: true, notifications: 'machine' },
});

exercise({
  name: 'sqlite in memory',
  open: (surroundings) => openSqliteStore(':memory:', surroundings),
  capabilities: { durable: false, concurrent_processes: false, notifications: 'process' },
});
