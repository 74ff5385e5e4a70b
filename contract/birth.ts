/** The allowed age of a user, in years. */
const AGES = { least: 13, most: 120 } as const

/** Returns the full years between two civil dates. */
export const ageOn = (birth: string, today: string): number =>
  Number(today.slice(0, 4)) - Number(birth.slice(0, 4)) - (today.slice(5) < birth.slice(5) ? 1 : 0)

/** Returns what is wrong with a birth date (YYYY-MM-DD): it must be past, age 13 to 120 (decisions.md 13); or null. */
export function birthFault(birth: string, today: string): string | null {
  if (birth >= today) return 'The birth date must be in the past.'
  const age = ageOn(birth, today)
  return age < AGES.least || age > AGES.most ? `The birth date must make them ${AGES.least} to ${AGES.most} years old.` : null
}
