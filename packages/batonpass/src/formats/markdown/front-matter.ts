import { HandoffError } from '../../core/errors.ts';
import { limits } from '../../core/limits.ts';
import type { FrontMatter } from './front-matter-value.ts';
import type { TextPlace } from './place.ts';
import { readWholeYaml } from './whole-yaml.ts';

/**
 * Reads the YAML between the dashes. Nothing in it is executed: there are no tags, and no languages. Every call gives
 * fresh values.
 *
 * @throws ParseError with line and column; HandoffError `too_large` above `limits.front_matter_bytes_max`.
 */
export function parseFrontMatter(matter: string, place: TextPlace): FrontMatter {
  if (matter.length > limits.front_matter_bytes_max) throw tooLarge(place);
  return readWholeYaml(matter, place);
}

function tooLarge({ source }: TextPlace): HandoffError {
  return new HandoffError(
    'too_large',
    `The front matter of ${source} has more than ${limits.front_matter_bytes_max} characters.`,
    {
      details: { source, bytes_max: limits.front_matter_bytes_max },
      alternatives: ['Move long values into the body below it.'],
    },
  );
}
