import { declare } from './declare.ts';

/** What the embedded store keeps when the disk, the power or the file fails. */
export const queueFaults = declare('design, stores and places', 'queue', {
  'FAULT.full':
    'A full disk at any step of any call is an error that says that and what to do; the call is kept whole or not at all.',
  'FAULT.error': 'A disk that reports an error while it writes, syncs or reads gives the same.',
  'FAULT.group': 'Calls that share a transaction are kept or refused together.',
  'FAULT.recovers': 'When the disk works again, the open store continues, with everything that it ever acknowledged.',
  'FAULT.opening': 'A disk that fails while a database is created, opened or migrated loses nothing of it.',
  'FAULT.real-disk': 'A really full file system gives the same results as the simulated one.',
  'FAULT.power': 'A power cut at any moment loses nothing acknowledged, and tears nothing.',
  'FAULT.power-normal': 'With durability normal a power cut loses only the last commits, and tears nothing.',
  'FAULT.power-checked': 'The check that finds a lost commit is itself tested: without syncs it finds some.',
  'FAULT.log-cut': 'A write-ahead log that ends anywhere opens with exactly the commits that are whole in it.',
  'FAULT.log-flip': 'A flipped bit of the write-ahead log loses commits from there on, and changes none.',
  'FAULT.file-flip':
    'A flipped bit of the database is an error that says what is damaged, or does no harm: no changed content is handed out.',
  'FAULT.damaged-row': 'A damaged handoff is listed as damaged, is passed over by claims, and can be set aside.',
});
