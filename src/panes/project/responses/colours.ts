import type { Split } from '../../../commands/responsesController.ts'

/** The share of accent colour in each part's bar, in percent; other parts are grey. */
const ACCENT: Readonly<Record<Split, Readonly<Record<string, number>>>> = {
  none: { all: 100 },
  gender: { female: 100, male: 52, other: 24 },
  age: { 1: 18, 2: 32, 3: 46, 4: 60, 5: 74, 6: 88, 7: 100 },
}

/** Returns the colour of a part of a bar, from the theme's tokens. */
export function colourOf(split: Split, key: string): string {
  const share = ACCENT[split][key]
  if (share === undefined) return 'var(--control)'
  return share === 100 ? 'var(--accent)' : `color-mix(in oklch, var(--accent) ${share}%, var(--track))`
}
