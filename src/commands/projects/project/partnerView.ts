import { fileSize } from '../../../../contract/format.ts'
import { ask } from '../../command.ts'
import type { Invitation, Quote } from '../../profferSubject.ts'
import type { Option, Subject } from '../../subject.ts'
import { invitationsOf, pickedPartners, quoteOf } from './quoteOf.ts'

const SURVEY = [
  { value: 'no', label: 'Not shown' },
  { value: 'yes', label: 'Shown', detail: 'partners can open the survey' },
] as const

/** The quote of the only project; null for several, which have files and requirements of their own. */
const onlyQuote = (subjects: readonly Subject[]): Quote | null => (subjects.length === 1 ? quoteOf(subjects[0]) : null)

/** The invitation whose values a change starts from: the only picked partner's, or the first. */
export function invitationToChange(subjects: readonly Subject[]): Invitation | null {
  const quote = onlyQuote(subjects)
  const picked = subjects[0] && pickedPartners(subjects[0])
  const rows = (quote ? invitationsOf(quote) : []).filter(
    ({ partner_id, revoked_at }) => !revoked_at && (!picked || picked.includes(partner_id)),
  )
  return rows[0] ?? null
}

const filesOf = (subjects: readonly Subject[]): Option[] =>
  (onlyQuote(subjects)?.files ?? []).map(({ id, name, size }) => ({
    value: String(id),
    label: name,
    detail: fileSize(size),
  }))

/** Asks what partners see of a request besides its terms; files and the survey only if they are selected. */
export const released = {
  requirements: ask.text({
    label: 'Requirements',
    lines: 5,
    optional: true,
    usual: true,
    placeholder: 'What the client requires, in words for partners',
    when: (_answers, subjects) => onlyQuote(subjects) !== null,
    prefill: (subjects) => invitationToChange(subjects)?.requirements || onlyQuote(subjects)?.requirements,
  }),
  files: ask.several({
    label: 'Files for partners',
    optional: true,
    usual: true,
    options: filesOf,
    when: (_answers, subjects) => filesOf(subjects).length > 0,
    prefill: (subjects) => invitationToChange(subjects)?.file_ids.map(String),
  }),
  survey: ask.option({
    label: 'Survey link',
    usual: true,
    options: SURVEY,
    when: (_answers, subjects) => Boolean(onlyQuote(subjects)?.survey_url),
    prefill: (subjects) => (invitationToChange(subjects)?.show_survey ? 'yes' : 'no'),
  }),
} as const

/** The same answers for the calls. */
export const releasedInput = ({
  requirements,
  files,
  survey,
}: {
  requirements?: string | undefined
  files?: readonly string[] | undefined
  survey?: string | undefined
}) => ({
  requirements: requirements ?? '',
  file_ids: (files ?? []).map(Number),
  show_survey: survey === 'yes',
})
