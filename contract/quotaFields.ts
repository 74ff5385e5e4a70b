import { field } from './fieldKinds.ts'

const between = (label: string, min: number, max: number) =>
  ({ min, max, wrong: `${label} is between ${min} and ${max}` }) as const

/** The settings of a quota plan; its dimensions and cells have a shape of their own. */
export const quotaFields = {
  total: field.integer('Total', {
    ...between('Total', 1, 10_000_000),
    about: 'Completes that the plan wants in all; what the project ordered, unless lower.',
    example: 475,
    unit: 'completes',
  }),
  mode: field.choice('Without a database', {
    options: [
      { value: 'exact', label: 'Admit nobody', detail: 'While the database can’t be reached.' },
      { value: 'open', label: 'Admit everybody', detail: 'And count what doesn’t fit beyond the plan.' },
    ],
    usual: 'exact',
    about: 'What happens to arrivals while the database can’t decide.',
  }),
  overage_percent: field.integer('Overage', {
    ...between('Overage', 0, 10),
    about: 'How far each cell may exceed its target.',
    usual: 0,
    example: 5,
    unit: 'per cent',
  }),
  hold_minutes: field.integer('Hold', {
    ...between('Hold', 10, 180),
    about: 'How long an admitted person keeps their places; three times the quoted length of interview by default.',
    example: 36,
    unit: 'minutes',
  }),
  silent_minutes: field.integer('Silence', {
    ...between('Silence', 3, 30),
    about: 'How long after their last heartbeat a person who sends some keeps their places.',
    usual: 8,
    example: 8,
    unit: 'minutes',
  }),
  unknown: field.choice('Unknown people', {
    options: [
      { value: 'refuse', label: 'Refuse' },
      { value: 'admit', label: 'Admit', detail: 'They count in no cell of what isn’t known.' },
    ],
    usual: 'refuse',
    about: 'What happens to a person of whom a dimension’s field isn’t known.',
  }),
  note: field.text('Note', { max: 2000, lines: 3 }),
}
