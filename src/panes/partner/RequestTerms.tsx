import { fieldDaysOf } from '../../../contract/answer.ts'
import { stripBidi } from '../../../contract/bidi.ts'
import { count, fileSize, percent, showDay } from '../../../contract/format.ts'
import { daysBetween } from '../../../contract/pacing.ts'
import { cx } from '../../ui/cx.ts'
import { Mark, Pill, type Tone } from '../../ui/Pill.tsx'
import type { PartnerRequest } from './answerForm.ts'

const days = (number: number): string => `${count(number)} ${number === 1 ? 'day' : 'days'}`

/** Formats a request's field dates with their number of days. */
export function datesOf({ start, end }: PartnerRequest): string {
  const long = fieldDaysOf(start, end)
  if (start && end && long !== null)
    return `${showDay(start, start.slice(0, 4) === end.slice(0, 4) ? 'day' : 'day and year')} – ${showDay(end, 'day and year')} (${days(long)})`
  if (start) return `From ${showDay(start, 'day and year')}`
  return end ? `Until ${showDay(end, 'day and year')}` : 'Not known yet'
}

/** Lists the request's terms as labels and values. */
export const termLines = (request: PartnerRequest): [label: string, value: string][] => [
  ['Completes', count(request.completes)],
  ['Type', request.campaign_type],
  ['Dates', datesOf(request)],
  ...request.audience.map(({ label, value }): [string, string] => [label, value]),
  ['Markets', request.markets],
  ['Length of interview', request.loi_minutes === null ? 'Not known yet' : `${request.loi_minutes} min`],
  ['Incidence', request.incidence === null ? 'Not known yet' : percent(request.incidence)],
]

/** Formats the answer's due date, and how urgent it is. */
function dueOf(answer_by: string | null, today: string): { date: string; left: string; tone: Tone } | null {
  if (!answer_by) return null
  const left = daysBetween(today, answer_by)
  return {
    date: showDay(answer_by, 'day and year'),
    left: left > 1 ? `${days(left)} left` : left === 1 ? 'Tomorrow' : left === 0 ? 'Today' : `${days(-left)} late`,
    tone: left < 0 ? 'red' : left <= 2 ? 'amber' : 'grey',
  }
}

/** The request's title, its partner and its due date. */
export function RequestHead({ request, today }: { request: PartnerRequest; today: string }) {
  const due = dueOf(request.answer_by, today)
  return (
    <div className="pb-6">
      <h1 className="text-figure text-balance">{request.title}</h1>
      <p className="mt-1 text-muted">
        {request.round > 1 ? `Round ${request.round}, for ` : 'For '}
        <span>{request.company_name}</span>
      </p>
      {due && (
        <p className="mt-3 flex flex-wrap items-center gap-x-3 gap-y-1">
          <span>Please answer by {due.date}</span>
          <Pill tone={due.tone}>{due.left}</Pill>
          {due.tone === 'red' && <span className="text-muted">Your answer is still welcome.</span>}
        </p>
      )}
    </div>
  )
}

/** Shows the request: why it is asked again, what changed, and its terms; `touched` lines changed just now. */
export function RequestTerms({ request, touched }: { request: PartnerRequest; touched: ReadonlySet<string> }) {
  const { message, requirements, survey_url, why, changes, files, round } = request
  return (
    <div className="flex flex-col gap-7">
      {round > 1 && (
        <p>
          The client didn’t take the earlier offer.{why && ` Why: ${stripBidi(why)}.`}
          {changes.length === 0 && ' The request itself is unchanged.'}
        </p>
      )}
      {message && (
        <section aria-labelledby="asked-message">
          <h2 id="asked-message" className="text-title">
            Message
          </h2>
          <p dir="auto" className="mt-2 whitespace-pre-wrap border-l-2 border-accent pl-3">
            {message}
          </p>
        </section>
      )}
      {changes.length > 0 && (
        <section aria-labelledby="asked-changes">
          <h2 id="asked-changes" className="text-title">
            What changed since your last answer
          </h2>
          <ul className="mt-2 rounded-md bg-amber-wash px-3 py-1.5">
            {changes.map(({ field, was, is }) => (
              <li key={field} className="py-1.5">
                <span className="block text-meta text-amber-ink">{field}</span>
                <del className="text-muted">{was}</del> <span aria-hidden="true">→</span>{' '}
                <ins className="font-semibold no-underline">{is}</ins>
              </li>
            ))}
          </ul>
        </section>
      )}
      <section aria-labelledby="asked-for">
        <h2 id="asked-for" className="text-title">
          What is asked for
        </h2>
        <dl className="mt-2 divide-y divide-line border-y border-line">
          {termLines(request).map(([label, value], at) => (
            <div
              key={label}
              className={cx('grid grid-cols-[8.5rem_1fr] items-baseline gap-3 py-2', touched.has(label) && 'bg-amber-wash')}
            >
              <dt className="text-muted">{label}</dt>
              <dd className={cx(at === 0 && 'text-figure tabular-nums')}>
                {value}
                {touched.has(label) && <span className="ml-2 text-meta text-amber-ink">changed just now</span>}
              </dd>
            </div>
          ))}
        </dl>
      </section>
      {requirements && (
        <section aria-labelledby="asked-requirements">
          <h2 id="asked-requirements" className="text-title">
            Requirements
          </h2>
          <p dir="auto" className="mt-2 whitespace-pre-wrap">
            {requirements}
          </p>
        </section>
      )}
      {survey_url && (
        <section aria-labelledby="asked-survey">
          <h2 id="asked-survey" className="text-title">
            Questionnaire
          </h2>
          <a
            href={survey_url}
            rel="noreferrer"
            target="_blank"
            className="mt-2 inline-flex min-h-11 items-center break-all text-accent-ink underline underline-offset-2"
          >
            {survey_url}
          </a>
        </section>
      )}
      {files.length > 0 && (
        <section aria-labelledby="asked-files">
          <h2 id="asked-files" className="text-title">
            Files
          </h2>
          <ul className="mt-2 divide-y divide-line border-y border-line">
            {files.map(({ name, size, url }) => (
              <li key={url}>
                <a href={url} download={name} className="flex min-h-11 items-center gap-3 py-2 text-accent-ink hover:underline">
                  <Mark shape="diamond" />
                  <span className="min-w-0 flex-1 break-words">{name}</span>
                  <span className="shrink-0 text-meta text-muted">{fileSize(size)}</span>
                </a>
              </li>
            ))}
          </ul>
        </section>
      )}
    </div>
  )
}
