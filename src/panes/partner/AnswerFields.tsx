import type { ReactNode } from 'react'
import { answerWarnings, fieldDaysOf } from '../../../contract/answer.ts'
import { count, dollars, showDay } from '../../../contract/format.ts'
import { addDays } from '../../../contract/pacing.ts'
import { cx } from '../../ui/cx.ts'
import { Field } from '../../ui/Field.tsx'
import { Mark } from '../../ui/Pill.tsx'
import { type FieldName, figure, LABELS, type PartnerRequest } from './answerForm.ts'
import { TouchButton, TouchInput, TouchText } from './touchControls.tsx'
import type { AnswerForm } from './useAnswer.ts'

const CHOICES = [
  { value: 'Yes', label: 'Yes, we can', shape: 'tick' },
  { value: 'No', label: 'No, we can’t', shape: 'cross' },
] as const
/** Common validity periods of an offer, in days from today. */
const LASTS = [14, 30, 60] as const

/** Yes and No, with the fields of the chosen one. */
export function AnswerFields({ form, request, today }: { form: AnswerForm; request: PartnerRequest; today: string }) {
  const { values, set, faults } = form
  const warnings = answerWarnings(request, {
    feasible_completes: figure('feasible_completes', values),
    field_days: figure('field_days', values),
  })
  const field = (name: FieldName, more: { hint?: string | undefined; label?: string; required?: boolean } = {}) => ({
    label: more.label ?? LABELS[name],
    hint: more.hint,
    required: more.required ?? false,
    error: faults[name] ?? null,
  })
  const bind = (name: FieldName) => ({ value: values[name], onChange: (value: string) => set(name, value) })
  return (
    <div className="flex flex-col gap-5">
      <fieldset
        data-fault={faults.fill_requirements ? '' : undefined}
        aria-describedby={faults.fill_requirements && 'choice-fault'}
      >
        <legend className="mb-1.5 text-meta font-medium text-muted">{LABELS.fill_requirements}</legend>
        <div className="grid grid-cols-2 gap-3">
          {CHOICES.map(({ value, label, shape }) => (
            <label
              key={value}
              className={cx(
                'flex min-h-14 items-center justify-center gap-2.5 rounded-lg border px-3 text-touch font-medium has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2',
                values.fill_requirements === value
                  ? 'border-accent bg-accent-wash text-accent-ink inset-ring-1 inset-ring-accent'
                  : 'border-control bg-surface hover:bg-hover',
              )}
            >
              <input
                type="radio"
                name="fill_requirements"
                value={value}
                checked={values.fill_requirements === value}
                onChange={() => set('fill_requirements', value)}
                className="sr-only"
              />
              <Mark shape={shape} className="scale-150" />
              {label}
            </label>
          ))}
        </div>
        {faults.fill_requirements && (
          <p id="choice-fault" className="mt-1.5 flex items-baseline gap-1.5 text-meta text-red-ink">
            <span aria-hidden="true">!</span>
            {faults.fill_requirements}
          </p>
        )}
      </fieldset>
      {values.fill_requirements === 'Yes' && (
        <div className="grid gap-5 sm:grid-cols-2">
          <Faulty when={faults.feasible_completes}>
            <Field {...field('feasible_completes', { required: true, hint: `${count(request.completes)} requested` })}>
              <TouchInput {...bind('feasible_completes')} inputMode="numeric" />
            </Field>
            <Warning>{warnings.feasible_completes}</Warning>
          </Faulty>
          <Faulty when={faults.cpi_cents}>
            <Field {...field('cpi_cents', { required: true, hint: 'Cost per interview, in dollars' })}>
              <TouchInput {...bind('cpi_cents')} inputMode="decimal" prefix="$" />
            </Field>
          </Faulty>
          <Faulty when={faults.incidence}>
            <Field {...field('incidence')}>
              <TouchInput {...bind('incidence')} inputMode="numeric" unit="%" />
            </Field>
          </Faulty>
          <Faulty when={faults.loi_minutes}>
            <Field {...field('loi_minutes')}>
              <TouchInput {...bind('loi_minutes')} inputMode="numeric" unit="min" />
            </Field>
          </Faulty>
          <Faulty when={faults.field_days}>
            <Field {...field('field_days')}>
              <TouchInput {...bind('field_days')} inputMode="numeric" unit="days" />
            </Field>
            <Warning>{warnings.field_days}</Warning>
          </Faulty>
          <Faulty when={faults.valid_until} wide>
            <Field {...field('valid_until', { required: true })}>
              <TouchInput {...bind('valid_until')} type="date" min={today} />
            </Field>
            <fieldset aria-label="Valid for" className="mt-2 flex min-w-0 gap-2">
              {LASTS.map((days) => (
                <TouchButton
                  key={days}
                  onClick={() => set('valid_until', addDays(today, days))}
                  aria-label={`${days} days, until ${showDay(addDays(today, days), 'day and year')}`}
                  aria-pressed={values.valid_until === addDays(today, days)}
                  className="flex-1 px-1 aria-pressed:border-accent aria-pressed:bg-accent-wash aria-pressed:text-accent-ink"
                >
                  {days} days
                </TouchButton>
              ))}
            </fieldset>
          </Faulty>
          <div className="sm:col-span-2">
            <Field {...field('note')}>
              <TouchText {...bind('note')} maxLength={2000} />
            </Field>
          </div>
        </div>
      )}
      {values.fill_requirements === 'No' && (
        <Faulty when={faults.reason}>
          <Field {...field('reason', { required: true, label: "Why can't you field it?" })}>
            <TouchText {...bind('reason')} maxLength={2000} />
          </Field>
        </Faulty>
      )}
    </div>
  )
}

/** Marks a faulty field, so that focus can go to the first. */
function Faulty({ when, wide, children }: { when: string | undefined; wide?: boolean; children: ReactNode }) {
  return (
    <div data-fault={when ? '' : undefined} className={cx('min-w-0', wide && 'sm:col-span-2')}>
      {children}
    </div>
  )
}

function Warning({ children }: { children: string | undefined }) {
  return (
    <p role="status" className={cx('flex items-baseline gap-1.5 text-meta text-amber-ink', children && 'mt-1')}>
      {children && <Mark shape="triangle" />}
      {children}
    </p>
  )
}

/** Totals computed from the figures as they are typed; they stay beside the button that sends them. */
export function Sums({ form: { values }, request }: { form: AnswerForm; request: PartnerRequest }) {
  const completes = figure('feasible_completes', values)
  const cpi = figure('cpi_cents', values)
  const days = figure('field_days', values) ?? fieldDaysOf(request.start, request.end)
  const pace = completes !== null && days ? Math.round((10 * completes) / days) / 10 : null
  const lines = [
    ['Total at this CPI', completes !== null && cpi !== null ? dollars(completes * cpi) : '–'],
    ['Completes per day', pace === null ? '–' : count(pace)],
  ] as const
  return (
    <dl className="grid grid-cols-2 gap-3 rounded-md bg-grey-wash px-3 py-1.5 sm:py-2.5">
      {lines.map(([label, value]) => (
        <div key={label}>
          <dt className="text-meta text-muted">{label}</dt>
          <dd className="text-title tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  )
}
