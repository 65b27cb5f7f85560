import { Component, type ReactNode } from 'react';
import { describeProblem } from '../server/server-problem.ts';

/** Shows a screen, or that it broke: the rest of the studio goes on. */
export class Failure extends Component<{ children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {};

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error };
  }

  override render(): ReactNode {
    if (!('error' in this.state)) return this.props.children;
    return (
      <div className="baton-empty" role="alert">
        <p className="baton-empty-title">This screen broke</p>
        <p>{describeProblem(this.state.error)} Nothing that the server keeps is lost.</p>
        <button type="button" className="baton-button" onClick={() => location.reload()}>
          Load the page again
        </button>
      </div>
    );
  }
}
