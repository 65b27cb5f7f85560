import { declare } from './declare.ts';

/** What the queue guarantees although it saves steps. */
export const queueSpeed = declare('issue “The queue at full strength”, figures', 'queue', {
  'SPEED.payload-column':
    'The column `payload` is the payload of the content, or the pointer to it, as valid JSON, for any content.',
  'SPEED.group-repeated':
    'Where a call of a group is refused after it wrote, the rest of the group is written once, also when another process writes in between.',
});
