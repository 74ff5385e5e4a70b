import { ANSWER, FIGURES } from '../../../contract/answer.ts'
import type { Output } from '../../../contract/calls.ts'
import { editableDollars } from '../../../contract/decimals.ts'
import { count, dollars, percent, showDay } from '../../../contract/format.ts'
import { isDay } from '../../../contract/moments.ts'
import { amountFault, readAmount, readWhole, wholeFault } from '../../../contract/money.ts'

/** The request as its partner sees it. */
export type PartnerRequest = Output<'invitation.get'>['data']
export type Answer = NonNullable<PartnerRequest['proffer']>

/** The form's values as typed, by the answer's field names in the API. */
export interface Values {
  fill_requirements: '' | 'Yes' | 'No'
  reason: string
  feasible_completes: string
  /** In dollars. */
  cpi_cents: string
  incidence: string
  loi_minutes: string
  field_days: string
  valid_until: string
  note: string
}
export type FieldName = keyof Values
/** Errors by field, in form order. */
export type Faults = Partial<Record<FieldName | 'on_behalf', string>>

export const BLANK: Values = {
  fill_requirements: '',
  reason: '',
  feasible_completes: '',
  cpi_cents: '',
  incidence: '',
  loi_minutes: '',
  field_days: '',
  valid_until: '',
  note: '',
}

const text = (value: number | null): string => (value === null ? '' : String(value))

/** Converts an answer to form values. */
export const valuesOf = (answer: Answer | null): Values =>
  answer
    ? {
        fill_requirements: answer.fill_requirements ?? '',
        reason: answer.reason,
        feasible_completes: text(answer.feasible_completes),
        cpi_cents: answer.cpi_cents === null ? '' : editableDollars(answer.cpi_cents),
        incidence: text(answer.incidence),
        loi_minutes: text(answer.loi_minutes),
        field_days: text(answer.field_days),
        valid_until: answer.valid_until ?? '',
        note: answer.note,
      }
    : BLANK

/** True if two forms have the same values. */
export const sameValues = (one: Values, other: Values): boolean =>
  (Object.keys(BLANK) as FieldName[]).every((name) => one[name] === other[name])

/** Parses a whole number ("1,200"); null for anything else. */
function wholeIn(typed: string): number | null {
  const number = readWhole(typed)
  return typeof number === 'number' ? number : null
}

const within = (name: keyof typeof FIGURES, value: number | null): value is number =>
  value !== null && value >= FIGURES[name][0] && value <= FIGURES[name][1]

const figureOf = (name: keyof typeof FIGURES, typed: string): number | null =>
  name === 'cpi_cents' ? readAmount(typed).cents : wholeIn(typed)

/** Parses a figure for the API; null if it is blank or out of range. */
export function figure(name: keyof typeof FIGURES, values: Values): number | null {
  const value = figureOf(name, values[name])
  return within(name, value) ? value : null
}

/** Validates an answer before it is sent; returns all errors at once. */
export function faultsOf(values: Values, today: string): Faults {
  if (!values.fill_requirements) return { fill_requirements: ANSWER.choose }
  if (values.fill_requirements === 'No') return values.reason.trim() ? {} : { reason: ANSWER.reason }
  const faults: Faults = {}
  for (const name of Object.keys(FIGURES) as (keyof typeof FIGURES)[]) {
    const needed = name === 'feasible_completes' || name === 'cpi_cents'
    if ((needed || values[name].trim()) && !within(name, figureOf(name, values[name]))) {
      const [, , wrong] = FIGURES[name]
      faults[name] = name === 'cpi_cents' ? amountFault(wrong, readAmount(values[name])) : wholeFault(wrong, values[name])
    }
  }
  if (!values.valid_until) faults.valid_until = ANSWER.validMissing
  else if (!isDay(values.valid_until) || values.valid_until < today) faults.valid_until = ANSWER.valid
  return faults
}

/** Converts form values to the API's input. A No omits its other fields; a draft keeps whatever can be parsed. */
export function wireOf(values: Values, { draft }: { draft: boolean }) {
  if (values.fill_requirements === 'No' && !draft) return { fill_requirements: 'No', reason: values.reason.trim() }
  return {
    fill_requirements: values.fill_requirements,
    ...(draft ? { reason: values.reason } : {}),
    feasible_completes: figure('feasible_completes', values),
    cpi_cents: figure('cpi_cents', values),
    incidence: figure('incidence', values),
    loi_minutes: figure('loi_minutes', values),
    field_days: figure('field_days', values),
    valid_until: isDay(values.valid_until) ? values.valid_until : null,
    note: values.note,
  }
}

export const LABELS: Readonly<Record<FieldName, string>> = {
  fill_requirements: 'Can you field it?',
  reason: 'Reason',
  feasible_completes: 'Feasible completes',
  cpi_cents: 'CPI',
  incidence: 'Incidence',
  loi_minutes: 'Length of interview',
  field_days: 'Field days',
  valid_until: 'Valid until',
  note: 'Note',
}

/** Formats an answer's fields in form order, without blank ones. */
export function answerLines(answer: Pick<Answer, FieldName>): [FieldName, string][] {
  const lines: [FieldName, string | null][] = [
    [
      'fill_requirements',
      answer.fill_requirements === 'Yes' ? 'Yes, we can' : answer.fill_requirements === 'No' ? 'No, we can’t' : null,
    ],
    ['reason', answer.reason || null],
    ['feasible_completes', answer.feasible_completes === null ? null : count(answer.feasible_completes)],
    ['cpi_cents', answer.cpi_cents === null ? null : dollars(answer.cpi_cents)],
    ['incidence', answer.incidence === null ? null : percent(answer.incidence)],
    ['loi_minutes', answer.loi_minutes === null ? null : `${answer.loi_minutes} min`],
    ['field_days', answer.field_days === null ? null : count(answer.field_days)],
    ['valid_until', answer.valid_until && showDay(answer.valid_until, 'day and year')],
    ['note', answer.note || null],
  ]
  return lines.filter((line): line is [FieldName, string] => line[1] !== null)
}
