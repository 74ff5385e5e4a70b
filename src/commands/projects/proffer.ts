import { ANSWER, FIGURES } from '../../../contract/answer.ts'
import { longDate } from '../../../contract/format.ts'
import { feasibilityPath } from '../../../contract/pages.ts'
import { projectFields } from '../../../contract/projectFields.ts'
import { andThen } from '../../../contract/writeEffects.ts'
import type { Api } from '../../data/api.ts'
import { writeClipboard } from '../../data/clipboard.ts'
import { dayOf } from '../../ui/displayZone.ts'
import { ask, command, type RawAnswers } from '../command.ts'
import { type Invitation, profferOf } from '../profferSubject.ts'
import { type Option, recordOf, type Subject } from '../subject.ts'
import { listed, noticeOf } from '../words.ts'
import { invitationsOf, isProject, projectIdOf } from './project/quoteOf.ts'
import { PROJECTS, reason } from './project/reason.ts'

const onProject = (_answers: unknown, subjects: readonly Subject[]): boolean => subjects.some(isProject)
const ROWS = [...PROJECTS, 'proffer'] as const

const STATES: Readonly<Record<Invitation['state'], string>> = {
  invited: 'Not emailed',
  mailed: 'Emailed',
  opened: 'Opened',
  draft: 'Has a draft',
  yes: 'Said yes',
  no: 'Said no',
  silent: 'Silent',
  revoked: 'Revoked',
}

/** Returns a project's invitations that allow an action, as options. */
const invitationsFor =
  (rule: string | null) =>
  async (api: Api, [subject]: readonly Subject[]): Promise<Option[]> => {
    const { data } = await api.read('project.quote', { id: projectIdOf(subject!) })
    return invitationsOf(data)
      .filter(({ allowed_actions }) => rule === null || allowed_actions.includes(rule))
      .map(({ partner_id, name, state, email }) => ({
        value: String(partner_id),
        label: name,
        detail: [STATES[state], email].filter(Boolean).join(' · '),
      }))
  }
/** Asks for the partner if the subject is a project rather than a partner's row. */
const partnerOf = (rule: string | null) =>
  ask.entity({ kind: 'partner', label: 'Partner', when: onProject, among: invitationsFor(rule) })

/** Returns project and partner: those of the row, or the project with the chosen partner. */
const invitationOf = (subject: Subject, { partner }: { partner?: number | undefined }): { id: number; partner_id: number } => {
  if (isProject(subject)) return { id: subject.id, partner_id: partner! }
  const { project_id: id, partner_id } = profferOf(subject.id)
  return { id, partner_id }
}

/** Returns the current answer from the row. */
const currentAnswer = ([subject]: readonly Subject[]): Partial<NonNullable<Invitation['answer']>> =>
  recordOf(subject, 'proffer').answer ?? {}
const isYes = ({ fill }: RawAnswers): boolean => fill === 'yes'
const isNo = ({ fill }: RawAnswers): boolean => fill === 'no'
/** Checks a figure against its bounds; an optional one may be blank. */
const within =
  (figure: keyof typeof FIGURES, needed: boolean) =>
  (text: string): string | null => {
    const [least, most, says] = FIGURES[figure]
    if (!text) return needed ? says : null
    const value = Number(text)
    return Number.isInteger(value) && value >= least && value <= most ? null : says
  }

/** A partner's invitation to a project and its answer (screens-quote-flow.md, Approval). */
export const profferCommands = {
  'invitation.copyLink': command({
    title: 'Copy partner’s link…',
    on: ROWS,
    rule: ['project.mailPartner', 'invitation.link'],
    keywords: 'url address feasibility signed share',
    icon: 'link',
    copies: true,
    // The link of the last mail stays valid.
    undo: 'needless',
    asks: { partner: partnerOf('invitation.link') },
    async run({ api, subject, answers }) {
      const { data } = await api.write('invitation.link', { ...invitationOf(subject, answers), renew: false })
      const until = `It opens the request until ${longDate(dayOf(data.expires_at))}. Anyone with the link can answer for the partner.`
      const copied = await writeClipboard(data.url).then(
        () => true,
        () => false,
      )
      return copied
        ? { message: andThen(noticeOf('invitation.copyLink', { words: ['the link', 'links'] }), until) }
        : { dialog: { title: 'Partner’s link', body: until, copy: data.url } }
    },
  }),
  'invitation.newLink': command({
    title: 'New link for partner…',
    on: ROWS,
    rule: ['project.mailPartner', 'invitation.link'],
    keywords: 'renew replace url address feasibility signed',
    icon: 'key',
    irreversible: true,
    asks: { partner: partnerOf('invitation.link') },
    confirm: (subjects) => ({
      title: `Make a new link for ${subjects.some(isProject) ? 'this partner' : listed(subjects)}?`,
      body: 'Their current links stop working. This can’t be undone.',
      action: 'New link',
    }),
    async run({ api, subject, answers }) {
      const { data, message } = await api.write('invitation.link', invitationOf(subject, answers))
      return {
        dialog: {
          title: 'New link',
          body: `${message} It opens the request until ${longDate(dayOf(data.expires_at))}.`,
          copy: data.url,
        },
      }
    },
  }),
  'invitation.revoke': command({
    title: 'Revoke invitation…',
    on: ROWS,
    rule: ['project.mailPartner', 'invitation.revoke'],
    keywords: 'withdraw uninvite cancel partner link',
    icon: 'x',
    danger: true,
    undo: 'restores',
    asks: { partner: partnerOf('invitation.revoke'), reason },
    async run({ api, subject, answers }) {
      const { message } = await api.write('invitation.revoke', { ...invitationOf(subject, answers), reason: answers.reason })
      return { message }
    },
  }),
  'invitation.preview': command({
    title: 'Preview as partner…',
    titleNow: (_workspace, [subject]) => (subject?.kind === 'proffer' ? `Preview as ${subject.name}` : null),
    on: ROWS,
    rule: null,
    keywords: 'see page feasibility request looks',
    icon: 'monitor',
    undo: 'needless',
    asks: { partner: partnerOf(null) },
    run({ subject, answers }) {
      const { id, partner_id } = invitationOf(subject, answers)
      window.open(feasibilityPath(id, partner_id), '_blank', 'noopener')
    },
  }),
  'proffer.enter': command({
    title: 'Answer by phone…',
    on: ROWS,
    rule: ['project.mailPartner', 'proffer.enter'],
    keywords: 'on behalf partner feasible offer proffer enter quote',
    icon: 'note',
    irreversible: true,
    asks: {
      partner: partnerOf('proffer.enter'),
      fill: ask.option({
        label: 'Can they field it?',
        options: [
          { value: 'yes', label: 'Yes, they can' },
          { value: 'no', label: 'No, they can’t' },
        ],
        prefill: (subjects: readonly Subject[]) => currentAnswer(subjects).fill_requirements?.toLowerCase(),
      }),
      feasible_completes: ask.number({
        label: 'Feasible completes',
        unit: 'completes',
        when: isYes,
        check: within('feasible_completes', true),
        prefill: (subjects: readonly Subject[]) => currentAnswer(subjects).feasible_completes,
      }),
      cpi: ask.number({
        label: 'CPI',
        money: true,
        unit: '$',
        when: isYes,
        check: within('cpi_cents', true),
        prefill: (subjects: readonly Subject[]) => currentAnswer(subjects).cpi_cents,
      }),
      field_days: ask.number({
        label: 'Field days',
        unit: 'days',
        optional: true,
        when: isYes,
        check: within('field_days', false),
        prefill: (subjects: readonly Subject[]) => currentAnswer(subjects).field_days,
      }),
      incidence: ask.number({
        label: projectFields.incidence.label,
        unit: '%',
        optional: true,
        usual: true,
        when: isYes,
        check: within('incidence', false),
        prefill: (subjects: readonly Subject[]) => currentAnswer(subjects).incidence,
      }),
      loi_minutes: ask.number({
        label: projectFields.loi_minutes.label,
        unit: 'min',
        optional: true,
        usual: true,
        when: isYes,
        check: within('loi_minutes', false),
        prefill: (subjects: readonly Subject[]) => currentAnswer(subjects).loi_minutes,
      }),
      valid_until: ask.date({
        label: 'Valid until',
        optional: true,
        usual: true,
        when: isYes,
        prefill: (subjects: readonly Subject[]) => currentAnswer(subjects).valid_until,
      }),
      note: ask.text({
        label: 'Their note',
        recalls: true,
        lines: 2,
        optional: true,
        usual: true,
        when: isYes,
        prefill: (subjects: readonly Subject[]) => currentAnswer(subjects).note,
      }),
      reason: ask.text({
        label: 'Why not',
        recalls: true,
        lines: 2,
        placeholder: 'What they said',
        when: isNo,
        check: (text) => (text.trim() ? null : ANSWER.reason),
        prefill: (subjects: readonly Subject[]) => currentAnswer(subjects).reason,
      }),
      on_behalf: ask.text({
        label: 'Source',
        recalls: true,
        lines: 2,
        confirms: true,
        placeholder: 'By phone or otherwise, and from whom. Kept in the history',
      }),
    },
    confirm: (subjects, { fill }) => ({
      title:
        `Answer ${fill === 'no' ? 'No' : fill === 'yes' ? 'Yes' : ''} for ${subjects.some(isProject) ? 'this partner' : listed(subjects)}?`.replace(
          '  ',
          ' ',
        ),
      body: 'It counts as the partner’s own answer. You can correct it while the round is open, but this can’t be undone.',
      action: 'Answer',
    }),
    async run({ api, subject, answers }) {
      const { id, partner_id } = invitationOf(subject, answers)
      // Corrects the answer that the row shows; if there is a newer one, the server refuses.
      const { data } = isProject(subject) ? await api.read('project.quote', { id }) : { data: null }
      const now = data
        ? invitationsOf(data).find((one) => one.partner_id === partner_id)?.answer
        : recordOf(subject, 'proffer').answer
      const { fill, reason, on_behalf, cpi, ...figures } = answers
      const { partner: _partner, ...values } = figures
      const fields = fill === 'yes' ? { ...values, cpi_cents: cpi } : { reason: reason ?? '' }
      const { warnings, message } = await api.write('proffer.create', {
        campaign_id: id,
        partner_id,
        fill_requirements: fill,
        on_behalf,
        ...fields,
        ...(now ? { lock_version: now.lock_version } : {}),
      })
      return { message: andThen(message, warnings) }
    },
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof profferCommands> {}
}

declare module '../subject.ts' {
  interface AddedToRecords {
    proffer: Invitation & { project_id: number }
  }
}
