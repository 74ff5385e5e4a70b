/** TABLE  names in the specification's spellings, and the common ones beside them (docs/one-vocabulary.md). */
export const COMMON_NAMES: Readonly<Record<string, string>> = {
  status: 'stored_status',
  status_shown: 'stored_status',
  transitions: 'stored_transitions',
  cost: 'cost_cents',
  family_cost: 'family_cost_cents',
  amount: 'amount_cents',
  start_date: 'start_dt',
  start_dateP: 'start_dt',
  end_date: 'end_dt',
  end_dateP: 'end_dt',
  dmas: 'data',
  targets: 'data',
}

/** An answer without the spellings that its records have under a common name, too. */
export function withoutSpellings<T>(answer: T): T {
  if (Array.isArray(answer)) return answer.map(withoutSpellings) as T
  if (!answer || typeof answer !== 'object') return answer
  const fields = Object.entries(answer).filter(([name]) => !Object.hasOwn(answer, COMMON_NAMES[name] ?? ''))
  return Object.fromEntries(fields.map(([name, value]) => [name, withoutSpellings(value)])) as T
}
