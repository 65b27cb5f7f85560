import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect } from 'vitest';
import { draftStore } from '../../packages/batonpass/src/draft/draft-store.ts';
import { useHandoffStore } from '../../packages/batonpass/src/react.ts';
import { verifies } from '../verifies.ts';

afterEach(() => draftStore.getState().openProject(null));

verifies(
  ['BR.held.synchronous-store', 'BR.held.names'],
  'useHandoffStore is the one store, answers at once, and needs no server and no component',
  () => {
    useHandoffStore.getState().openProject('hook');
    useHandoffStore.getState().addDecision('Use zustand');
    expect(draftStore.getState().decisions.map(({ content }) => content)).toEqual(['Use zustand']);
    useHandoffStore.setState({ brainstormSummary: 'Built.' });
    expect(useHandoffStore.getState()).toBe(draftStore.getState());
    expect(useHandoffStore.persist.getOptions().name).toBe('handoff-storage:hook');
  },
);

verifies(['BR.held.names'], 'as a hook it gives what the selector takes, or the whole state', () => {
  const Part = () => createElement('b', {}, typeof useHandoffStore((state) => state.addDecision));
  const Whole = () => createElement('i', {}, useHandoffStore().decisions.length);
  expect(renderToStaticMarkup(createElement('p', {}, createElement(Part), createElement(Whole)))).toBe(
    '<p><b>function</b><i>0</i></p>',
  );
});
