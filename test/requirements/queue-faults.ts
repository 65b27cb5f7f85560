import { declare } from './declare.ts';

/** What the embedded store keeps when the disk, the power or the file fails it. */
export const queueFaults = declare('design, stores and places', 'queue', {
  'FAULT.full':
    'A full disk at any step of any call is an error that says so and what to do; the call is kept whole or not at all.',
  'FAULT.error': 'So is a disk that reports an error while it writes, syncs or reads.',
  'FAULT.group': 'Calls that share a transaction are kept or refused together.',
  'FAULT.recovers': 'When the disk works again, the open store goes on, with all that it ever acknowledged.',
  'FAULT.opening': 'A disk that fails while a database is made, opened or brought up to date loses nothing of it.',
  'FAULT.real-disk': 'A full file system of the machine is survived as one that a test made up.',
  'FAULT.power': 'A power cut at any moment loses nothing acknowledged, and tears nothing.',
  'FAULT.power-normal': 'With durability normal a power cut loses the last commits alone, and tears nothing.',
  'FAULT.power-checked': 'What finds a lost commit is itself proved: without syncs it finds some.',
  'FAULT.log-cut': 'A write-ahead log that ends anywhere opens with exactly the commits that are whole in it.',
  'FAULT.log-flip': 'A flipped bit of the write-ahead log loses commits from there on, and changes none.',
  'FAULT.file-flip':
    'A flipped bit of the database is an error that says what is damaged, or does no harm: no changed content is handed out.',
});
