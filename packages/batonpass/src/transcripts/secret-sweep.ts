import type { ToolOutcome } from '../core/conversation.ts';
import { cutOutcome, type SecretCounts } from './mask-conversation.ts';
import { maySecretsBeFound, scanSecrets } from './scan-secrets.ts';

/** The place of a text that is checked again. */
interface Place {
  text: string;
  put: (text: string, found: SecretCounts) => void;
}

/**
 * The second scan of texts that our own patterns have masked: those in which the scanner may find something wait here
 * until `run`, whole; nearly all others pass at once.
 */
export class SecretSweep {
  private places: Place[] = [];

  /** @param put - called by `run`, only for a text in which something was found. */
  watch(text: string | undefined, put: Place['put']): void {
    if (text !== undefined && maySecretsBeFound(text)) this.places.push({ text, put });
  }

  /** An outcome's text is cut at once where it is clean, and after the second scan where it may not be. */
  watchOutcome(outcome: ToolOutcome, count: (found: SecretCounts) => void): void {
    if (!maySecretsBeFound(outcome.text)) outcome.text = cutOutcome(outcome);
    else {
      const put: Place['put'] = (text, found) => {
        outcome.text = cutOutcome({ ...outcome, text });
        count(found);
      };
      this.places.push({ text: outcome.text, put });
    }
  }

  /** Scans all texts that wait. Afterwards none does. */
  async run(): Promise<void> {
    const places = this.places;
    this.places = [];
    if (places.length === 0) return;
    const masked = await scanSecrets(places.map(({ text }) => text));
    for (const [index, { put }] of places.entries()) {
      const result = masked[index];
      if (result !== undefined) put(result.text, result.found);
    }
  }
}
