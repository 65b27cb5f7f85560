import { asObject, asObjects, asText, type JsonObject } from './json-value.ts';

/**
 * What a host's question tool asks the person, as the text of a message: each question in bold with its options below, as
 * SpecStory writes them.
 */
export function describeQuestions(input: JsonObject): string {
  return asObjects(input.questions)
    .flatMap(({ question, options }) => {
      const asked = asLine(question);
      return asked === '' ? [] : [[`**${asked}**`, ...asObjects(options).map(describeOption)].join('\n')];
    })
    .join('\n\n');
}

function describeOption({ label, description }: JsonObject): string {
  const about = asLine(description);
  return `- **${asLine(label)}**${about === '' ? '' : ` - ${about}`}`;
}

/** One answer after its question; empty without one. */
export function describeAnswer(question: string, answer: string | undefined): string {
  const said = answer?.trim() ?? '';
  return said === '' ? '' : `**${asLine(question)}** ${said}`;
}

/** The answers of Codex's tool, whose output names them by the id of their question. */
export function describeAnswersById(input: JsonObject, output: JsonObject | undefined): string {
  const answers = asObject(output?.answers) ?? {};
  return asObjects(input.questions)
    .map(({ id, question }) => {
      const given = asObject(answers[asText(id) ?? ''])?.answers;
      return describeAnswer(asText(question) ?? '', Array.isArray(given) ? given.join(', ') : undefined);
    })
    .filter((line) => line !== '')
    .join('\n');
}

function asLine(value: unknown): string {
  return (asText(value) ?? '').replace(/\s+/g, ' ').trim();
}
