import type { ComponentProps, ReactNode } from 'react';

interface ButtonProps extends Omit<ComponentProps<'button'>, 'children'> {
  label: ReactNode;
  /** The key that does the same, shown after the label. */
  hotkey?: string | undefined;
  /** Whether it has the size of a screen's own steps. Default: small. */
  large?: boolean;
  look?: 'primary' | 'quiet' | undefined;
}

/** A button of the review and of the studio; it submits a form only with `type="submit"`. */
export function Button({ label, hotkey, large = false, look, className, ...props }: ButtonProps) {
  const classes = ['baton-button', large ? '' : 'baton-small', look && `baton-${look}`, className];
  return (
    <button type="button" {...props} className={classes.filter(Boolean).join(' ')}>
      {label}
      {hotkey === undefined ? null : (
        <>
          {' '}
          <kbd>{hotkey}</kbd>
        </>
      )}
    </button>
  );
}
