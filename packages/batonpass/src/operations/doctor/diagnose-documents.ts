import type { Registrations } from '../../workspace/hosts/registrations.ts';
import { type Finding, fine, warning } from './diagnose-finding.ts';

/** Whether the documents tell agents of Baton, in the words of today. */
export function diagnoseDocuments({ documents, unreadable }: Registrations): Finding[] {
  const named = (wanted: (typeof documents)[number]['state']) =>
    documents.filter(({ state }) => state === wanted).map(({ name }) => name);
  const [current, outdated, missing] = [named('current'), named('outdated'), named('missing')];
  // init refuses a document whose markers are torn, which is said already.
  const isBroken = unreadable.some(({ part }) => part === 'docs');
  return [
    ...(current.length === 0
      ? []
      : [
          fine(
            'documents-registered',
            `${current.join(' and ')} ${current.length > 1 ? 'tell' : 'tells'} agents of Baton`,
          ),
        ]),
    ...(outdated.length === 0 || isBroken
      ? []
      : [
          warning('documents-outdated', {
            about: outdated.join(', '),
            what: `The block in ${outdated.join(' and ')} is not what init would write now.`,
            why: 'Agents read there how to hand over, and go by it.',
            next: 'Renew it: baton init --only docs',
          }),
        ]),
    ...(missing.length === 0 || isBroken
      ? []
      : [
          warning('documents-not-registered', {
            about: missing.join(', '),
            what:
              missing.length > 1
                ? `Neither ${missing.join(' nor ')} tells agents of Baton.`
                : `${missing.join('')} does not tell agents of Baton.`,
            why: 'An agent that reads nothing of it hands over only when somebody asks for it.',
            next: 'Add the block: baton init --only docs',
          }),
        ]),
  ];
}
