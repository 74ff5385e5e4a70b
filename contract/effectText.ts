declare const made: unique symbol

/** A sentence about an effect. Only writeEffects.ts makes one, so text that is typed in its place doesn't compile. */
export type Sentence = string & { readonly [made]: true }
