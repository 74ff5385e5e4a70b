import { compareText } from '../../../../contract/foldText.ts'
import { count, dollars, percent } from '../../../../contract/format.ts'
import type { Api } from '../../../data/api.ts'
import { outsideSeconds } from '../../../data/outsideSeconds.ts'
import { href } from '../../../routing/routes.ts'
import { ask, command } from '../../command.ts'
import { type Invitation, profferOf, type Quote } from '../../profferSubject.ts'
import { type AddedToRecords, type Option, recordOf, type Subject } from '../../subject.ts'
import { either, listed, named } from '../../words.ts'
import type { WorkspaceApi } from '../../workspaceApi.ts'
import { invitationToChange, released, releasedInput } from './partnerView.ts'
import { invitationsOf, pickedPartners, quoteOf, withQuotes } from './quoteOf.ts'
import { PROJECTS } from './reason.ts'

type Partner = AddedToRecords['project']['partners_list'][number]
const MOST_PARTNERS = 500
const partnersOf = async (api: Api, signal?: AbortSignal) =>
  (await api.read('partner.list', { per_page: MOST_PARTNERS }, signal)).data

/** Estimates how often inviting a partner brings an offer; an unknown rate counts as 50 %. */
const worth = ({ answer_rate, yes_rate }: Partner): number => ((answer_rate ?? 50) / 100) * ((yes_rate ?? 50) / 100)

/** Sorts partners by expected offers, then by price; those without an email address are last. */
const byUse = (a: Partner, b: Partner): number =>
  Number(!a.email) - Number(!b.email) ||
  worth(b) - worth(a) ||
  (a.cpi_cents ?? Number.POSITIVE_INFINITY) - (b.cpi_cents ?? Number.POSITIVE_INFINITY) ||
  compareText(a.name, b.name)

/** Describes a partner: "answers 92 % · in 4 h · CPI $2.35". */
const partnerWords = ({ email, answer_rate, answer_hours, cpi_cents }: Partner): string =>
  [
    email ? '' : 'No email address: copy the link instead',
    answer_rate === null ? 'never asked' : `answers ${percent(answer_rate)}`,
    answer_hours === null ? '' : `in ${count(Math.round(answer_hours))} h`,
    cpi_cents === null ? '' : `CPI ${dollars(cpi_cents)}`,
  ]
    .filter(Boolean)
    .join(' · ')

/** Returns the partners that `prepare` has read for these projects. */
const knownPartners = (subjects: readonly Subject[]): readonly Partner[] =>
  recordOf(subjects[0], 'project', 'campaign').partners_list ?? []

const isInvited = (quote: Quote, partner_id: number): boolean =>
  invitationsOf(quote).some((one) => one.partner_id === partner_id && !one.revoked_at)

/** Returns the partners that any of these projects hasn't invited in its round, best first. */
async function invitees(_api: Api, subjects: readonly Subject[]): Promise<Option[]> {
  const quotes = subjects.map(quoteOf).filter((quote) => quote !== null)
  return knownPartners(subjects)
    .filter(({ id }) => !quotes.length || quotes.some((quote) => !isInvited(quote, id)))
    .toSorted(byUse)
    .map((partner) => ({ value: String(partner.id), label: partner.name, detail: partnerWords(partner) }))
}

/** Returns the partners that can be reminded now: all who haven't answered, or the chosen ones. */
const silent = (subject: Subject): readonly Invitation[] => {
  const quote = quoteOf(subject)
  const picked = pickedPartners(subject)
  return (quote ? invitationsOf(quote) : []).filter(
    ({ partner_id, allowed_actions }) =>
      allowed_actions.includes('invitation.remind') && (!picked || picked.includes(partner_id)),
  )
}
/** Returns those who haven't answered but can't be reminded now. */
const notYet = (subject: Subject): readonly Invitation[] => {
  const quote = quoteOf(subject)
  const picked = pickedPartners(subject)
  return (quote ? invitationsOf(quote) : []).filter(
    ({ partner_id, answer, revoked_at, allowed_actions }) =>
      !answer && !revoked_at && !allowed_actions.includes('invitation.remind') && (!picked || picked.includes(partner_id)),
  )
}
const sentence = (words: string): string => `${words.charAt(0).toUpperCase()}${words.slice(1)}.`
const whyNot = (rows: readonly Invitation[]): string =>
  rows
    .map(({ name, refused_actions }) => {
      const why = refused_actions['invitation.remind'] ?? ''
      return sentence(why.startsWith(name) ? why : `${name}: ${why}`)
    })
    .join(' ')

/** Returns why no partner of a project can be reminded; null if one can. */
function nobodySilent(quote: Quote, subject: Subject): string | null {
  if (silent(subject).length) return null
  const picked = pickedPartners(subject)
  const [one] = invitationsOf(quote).filter(({ partner_id }) => picked?.includes(partner_id))
  if (one) return one.refused_actions['invitation.remind'] ?? 'it can’t be reminded'
  const waiting = notYet(subject)
  return waiting.length ? whyNot(waiting).replace(/\.$/, '') : 'no partner is silent'
}

/** Describes the partners that the server skipped, with reasons. */
const skippedOf = (made: unknown): string =>
  ((made as { data?: { skipped?: { reason: string }[] } } | undefined)?.data?.skipped ?? [])
    .map(({ reason }) => reason.replace(/\.$/, ''))
    .join('. ')

/** Returns the selected partners that can be invited, as in the Approval tab; undefined without any. */
function selectedPartners(_subjects: readonly Subject[], workspace?: WorkspaceApi): number[] | undefined {
  const rows = (workspace?.subjects().selected ?? []).filter((row) => row.kind === 'proffer' && !recordOf(row, 'proffer').state)
  return rows.length ? rows.map(({ id }) => profferOf(id).partner_id) : undefined
}

const mailOptions = () =>
  [
    { value: 'now', label: 'Email now', detail: `sent after ${outsideSeconds()} seconds` },
    { value: 'later', label: 'Don’t email', detail: 'copy their links instead' },
  ] as const

/** Invites partners to a round, and reminds them (screens-quote-flow.md, Approval). */
export const inviteCommands = {
  'project.invitePartners': command({
    title: 'Invite partners…',
    on: PROJECTS,
    many: true,
    rule: 'project.assignPartner',
    keywords: 'assign partner channel feasibility ask email',
    icon: 'partner',
    undo: 'restores',
    async prepare(api, subjects, signal) {
      const [partners, { able, left: out }] = await Promise.all([
        partnersOf(api, signal),
        withQuotes(api, subjects, () => null, signal),
      ])
      const known = able.map((subject) => ({ ...subject, record: { ...subject.record, partners_list: partners } }))
      if (partners.length) return { able: known, left: out }
      const left = subjects.map((subject) => ({ subject, reason: 'there is no partner yet. Add the first one' }))
      const [one] = subjects
      // The form also invites the new partner to the project that it was opened from.
      const query = one && subjects.length === 1 ? { query: { invite: one.id } } : {}
      return { able: [], left, leadsTo: href('newPartner', {}, query) }
    },
    asks: {
      partners: ask.entities({
        kind: 'partner',
        label: 'Partners',
        min: 1,
        bestFirst: true,
        prefill: selectedPartners,
        check: (value) => (value ? null : 'Invite at least one partner'),
        among: invitees,
      }),
      message: ask.text({
        label: 'Message',
        recalls: true,
        lines: 4,
        optional: true,
        usual: true,
        placeholder: 'Anything else the partners should know',
      }),
      ...released,
      answer_by: ask.date({
        label: 'Answer by',
        optional: true,
        usual: true,
        prefill: ([subject]: readonly Subject[]) => quoteOf(subject)?.usual_answer_by,
      }),
      mail: ask.option({ label: 'Email', usual: true, options: mailOptions, prefill: () => 'now' }),
    },
    excludes(subject, { partners }) {
      const quote = quoteOf(subject)
      const ids = partners ?? []
      return quote && ids.length && ids.every((id) => isInvited(quote, id)) ? 'they are invited already' : null
    },
    confirm: (subjects, { partners, mail, requirements, files, survey }) => {
      const many = partners?.length ?? 0
      const mails = mail !== 'later'
      return {
        title: `Invite ${many === 1 ? 'this partner' : many ? `${count(many)} partners` : 'partners'} to ${listed(subjects)}?`,
        body: [
          mails
            ? `Each gets an email with a link of its own, valid for 14 days. You can undo it for ${outsideSeconds()} seconds, until the email is sent.`
            : 'Nobody is emailed. You can copy their links.',
          subjects.some(({ record }) => record?.stored_status === 'requirements')
            ? `${either(subjects, 'The project goes', 'The projects go')} on quote.`
            : '',
          requirements
            ? 'They read the requirements below: take out what names the client.'
            : subjects.length > 1
              ? 'They see no requirements or files until you release them in each project.'
              : '',
          subjects.length === 1 && !files?.length && survey !== 'yes' ? 'They get no files and no questionnaire.' : '',
        ]
          .filter(Boolean)
          .join(' '),
        ...(requirements ? { lines: [{ label: 'Requirements', value: requirements }] } : {}),
        action: either(subjects, 'Invite', 'Invite to all'),
      }
    },
    failure: 'dialog',
    each: {
      dialog: { title: 'Assigned', body: 'The partners are invited.', clicked: true },
      done: 'project.assignPartner',
      answers: true,
      adds: skippedOf,
      undoFor: ({ mail }) => (mail === 'later' ? undefined : outsideSeconds()),
      one: ({ api, subject, answers, signal }) =>
        api.write(
          'invitation.create',
          {
            id: subject.id,
            partner_ids: answers.partners,
            message: answers.message ?? '',
            ...releasedInput(answers),
            ...(answers.answer_by ? { answer_by: answers.answer_by } : {}),
            mail: answers.mail !== 'later',
          },
          { signal },
        ),
    },
  }),
  'invitation.edit': command({
    title: 'What partners see…',
    on: [...PROJECTS, 'proffer'],
    rule: ['project.showPartners', 'invitation.edit'],
    keywords: 'release files requirements questionnaire survey entry link message round show partner',
    icon: 'eye',
    undo: 'restores',
    prepare: (api, subjects, signal) =>
      withQuotes(
        api,
        subjects,
        (_quote, subject) => (invitationToChange([subject]) ? null : 'no partner is invited to this round'),
        signal,
      ),
    asks: {
      ...released,
      message: ask.text({
        label: 'Message',
        lines: 4,
        optional: true,
        usual: true,
        prefill: (subjects) => invitationToChange(subjects)?.message,
      }),
      why: ask.text({
        label: 'Why this round',
        optional: true,
        usual: true,
        placeholder: 'What partners read about it',
        when: (_answers, subjects) => (quoteOf(subjects[0])?.round ?? 1) > 1,
        prefill: (subjects) => invitationToChange(subjects)?.why,
      }),
      entry_url: ask.text({
        label: 'Entry link',
        kind: 'url',
        optional: true,
        usual: true,
        placeholder: 'Where chosen partners send respondents',
        prefill: (subjects) => invitationToChange(subjects)?.entry_url,
      }),
    },
    confirm: ([subject], { requirements, files, survey }) => {
      const picked = subject && pickedPartners(subject)
      const partners = subject && picked?.length === 1 ? invitationToChange([subject])?.name : 'all partners of this round'
      return {
        title: `Change what ${partners} ${picked?.length === 1 ? 'sees' : 'see'}?`,
        body: [
          requirements ? 'Take out of the requirements what names the client.' : 'They see no requirements.',
          files?.length ? '' : 'They get no files.',
          survey === 'yes' ? 'They can open the survey.' : '',
          'Nobody is emailed: open pages show it, and so does the next email.',
        ]
          .filter(Boolean)
          .join(' '),
        ...(requirements ? { lines: [{ label: 'Requirements', value: requirements }] } : {}),
        action: 'Change',
      }
    },
    async run({ api, subject, answers }) {
      const picked = pickedPartners(subject)
      const { message } = await api.write('invitation.edit', {
        id: subject.id,
        ...(picked ? { partner_ids: [...picked] } : {}),
        ...releasedInput(answers),
        message: answers.message ?? '',
        ...((quoteOf(subject)?.round ?? 1) > 1 ? { why: answers.why ?? '' } : {}),
        entry_url: answers.entry_url ?? '',
      })
      return { message }
    },
  }),
  'project.remind': command({
    title: 'Remind partners',
    on: [...PROJECTS, 'proffer'],
    many: true,
    rule: ['project.mailPartner', 'invitation.remind'],
    keywords: 'silent again email partner feasibility send',
    icon: 'mail',
    undo: 'restores',
    prepare: (api, subjects, signal) => withQuotes(api, subjects, nobodySilent, signal),
    confirm: (subjects) => {
      const all = subjects.flatMap(silent)
      const skipped = subjects.flatMap(notYet)
      const [one] = all
      const whom = one && all.length === 1 ? one.name : `${count(all.length)} silent partners`
      return {
        title: `Remind ${whom} of ${listed(subjects)}?`,
        body: [
          subjects.length === 1 && all.length > 1 ? `${all.map(({ name }) => name).join(', ')}.` : '',
          `You can undo it for ${outsideSeconds()} seconds, until the email is sent.`,
          skipped.length ? `Skipped: ${whyNot(skipped)}` : '',
        ]
          .filter(Boolean)
          .join(' '),
        ...(subjects.length > 1
          ? {
              lines: subjects.map((subject) => ({
                label: named(subject),
                value: silent(subject)
                  .map(({ name }) => name)
                  .join(', '),
              })),
            }
          : {}),
        action: 'Remind',
      }
    },
    failure: 'dialog',
    each: {
      done: 'project.remindPartners',
      answers: true,
      adds: skippedOf,
      undoFor: outsideSeconds,
      one: ({ api, subject, signal }) =>
        api.write(
          'invitation.remind',
          { id: subject.id, partner_ids: silent(subject).map(({ partner_id }) => partner_id) },
          { signal },
        ),
    },
  }),
} as const
