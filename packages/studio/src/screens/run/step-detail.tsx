import { useState } from 'react';
import { showHidden } from '../../../../batonpass/src/core/hidden-characters.ts';
import { useKeys } from '../../shell/keys.ts';
import { describeDuration, describeTokens, glyphOf, type Step } from './step-words.ts';

/** One step: what the model said, what its tools were given, and what they gave. */
export function StepDetail({ step: { number, text, tools, tools_left_out, tokens, duration_ms } }: { step: Step }) {
  const [isRaw, setRaw] = useState(false);
  useKeys('Step detail', [
    { keys: 'v', does: isRaw ? 'show values laid out' : 'show values as they are', run: () => setRaw(!isRaw) },
  ]);
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard.
    <section id="step-detail" className="run-detail" aria-label={`Step ${number}`} tabIndex={0}>
      <p className="run-facts">
        <strong>Step {number}</strong>
        <span>{describeTokens(tokens)}</span>
        <span>{describeDuration(duration_ms)}</span>
      </p>
      {text === '' ? null : (
        <p className="baton-text" dir="auto">
          {showHidden(text)}
        </p>
      )}
      {tools.map((tool, place) => (
        <div key={place} className="run-tool">
          <h3 className="run-tool-name">
            <span aria-hidden="true">{glyphOf(tool.name)} </span>
            {showHidden(tool.name)}
          </h3>
          <Value label="was given" value={tool.input} isRaw={isRaw} />
          <Value label="gave" value={tool.output} isRaw={isRaw} />
        </div>
      ))}
      {tools_left_out === undefined ? null : (
        <p className="baton-hint">{tools_left_out} more tools were called than the history keeps.</p>
      )}
      {tools.length === 0 && text === '' ? <p className="baton-none">It said and did nothing.</p> : null}
    </section>
  );
}

function Value({ label, value, isRaw }: { label: string; value: unknown; isRaw: boolean }) {
  const text = typeof value === 'string' && !isRaw ? value : JSON.stringify(value, null, isRaw ? 0 : 2);
  return (
    <div>
      <p className="baton-hint">{label}</p>
      <pre className="run-value">{showHidden(text)}</pre>
    </div>
  );
}
