/** The most characters of a label beside a bar (projects-area 9). */
const MOST = 15

/** A label as it is drawn beside a bar; tooltips, tables and screen readers have the whole one. */
export function cutLabel(label: string): string {
  const characters = [...label]
  return characters.length > MOST ? `${characters.slice(0, MOST).join('').trimEnd()}…` : label
}
