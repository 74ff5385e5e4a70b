import { isolateBidi } from '../../../contract/bidi.ts'
import { pick } from '../../../contract/fieldKinds.ts'
import { nameKey } from '../../../contract/foldText.ts'
import { count as figure } from '../../../contract/format.ts'
import { codeOf } from '../../../contract/nounOf.ts'
import { partnerFields } from '../../../contract/partnerFields.ts'
import { andThen } from '../../../contract/writeEffects.ts'
import type { Api } from '../../data/api.ts'
import { outsideSeconds } from '../../data/outsideSeconds.ts'
import { href } from '../../routing/routes.ts'
import { bulkEditOf } from '../bulkEdit.ts'
import { ask, command } from '../command.ts'
import { copyText } from '../copying.ts'
import { answered, asksOf, editAsksOf, saves } from '../fieldAsks.ts'
import { restoreOf } from '../restoring.ts'
import { type Option, type RecordOf, recordOf, type Subject } from '../subject.ts'
import { either, listed, named, noticeOf } from '../words.ts'

const newFields = pick(partnerFields, 'name')
const emailOf = (subject: Subject | undefined): string => String(recordOf(subject, 'partner').email ?? '')
const number = (count: number, one: string, many = `${one}s`) => `${figure(count)} ${count === 1 ? one : many}`
const sum = (subjects: readonly Subject[], field: keyof RecordOf<'partner'>) =>
  subjects.reduce((all, subject) => all + Number(recordOf(subject, 'partner')[field] ?? 0), 0)

type Moved = { readonly invitations: number; readonly answers: number }
/** Counts what a merge moves: "3 invitations and 2 answers". */
const movedWords = ({ invitations, answers }: Moved, its = ''): string =>
  `${its}${number(invitations, 'invitation')} and ${its.toLowerCase()}${number(answers, 'answer')}`
/** Says what a merge of a partner into another will do; `moved` is unknown without a dry run. */
const mergeWords = (gone: Subject, moved: Moved | null): string =>
  `${moved ? movedWords(moved, 'Its ') : 'Its invitations and answers'} move there, and its links keep working. An email, phone, contact or notes that the other lacks are filled in. Then “${isolateBidi(gone.name)}” is deleted.`

/** Reads pending projects that need answers; for a single subject, without those that have invited it already. */
async function asking(api: Api, subjects: readonly Subject[]): Promise<Option[]> {
  const [partner] = subjects
  const pending = { step: '' as const, per_page: 500 }
  const [all, invited] = await Promise.all([
    api.read('campaign.requestList', pending),
    partner && subjects.length === 1 ? api.read('campaign.requestList', { ...pending, partner: partner.id }) : null,
  ])
  const already = new Set(invited?.data.campaigns.map(({ id }) => id))
  return all.data.campaigns
    .filter(({ id, status }) => (status === 'requirements' || status === 'pricing') && !already.has(id))
    .map((row) => ({ value: String(row.id), label: row.name, detail: `${codeOf('project', row.id)} · ${row.company_name}` }))
}

/** Describes who gets no mail with an invitation. */
function withoutEmail(subjects: readonly Subject[]): string {
  const none = subjects.filter((subject) => subject.record && !emailOf(subject))
  if (!none.length) return ''
  return ` ${listed(none)} ${either(none, 'has', 'have')} no email: copy the link on the Approval tab instead.`
}

/** Channel partners (screens-quote-flow.md, Channel partners). */
export const partnerCommands = {
  'partner.create': command({
    title: 'New partner…',
    detail: 'with just a name',
    on: 'nothing',
    group: 'add',
    keywords: 'add channel',
    icon: 'plus',
    undo: 'restores',
    asks: asksOf(newFields),
    async run({ api, answers, workspace }) {
      const { data } = await api.write('partner.create', answered(newFields, answers))
      workspace.open(href('partners'))
      return { message: noticeOf('partner.create', { name: data.name, noun: 'partner' }) }
    },
  }),
  'partner.edit': command({
    title: 'Edit partner…',
    on: 'partner',
    keywords: 'rename name contact email phone notes',
    icon: 'pencil',
    undo: 'restores',
    asks: editAsksOf(partnerFields),
    run: saves('partner', partnerFields),
  }),
  'partner.invite': command({
    title: 'Invite to projects…',
    on: 'partner',
    many: true,
    rule: null,
    keywords: 'feasibility ask assign quote',
    icon: 'link',
    undo: 'restores',
    asks: {
      projects: ask.entities({ kind: ['project', 'campaign'], label: 'Projects', min: 1, among: asking }),
    },
    confirm: (subjects, { projects }) => ({
      title: `Invite ${listed(subjects)} to ${projects?.length ? number(projects.length, 'project') : 'projects'}?`,
      body: `${either(subjects, 'It gets an email with its', 'Each gets an email with its')} own link for each project, sent in ${outsideSeconds()} seconds.${withoutEmail(subjects)}`,
      action: 'Invite',
    }),
    async run({ api, subjects, answers, progress, signal }) {
      const partner_ids = subjects.map(({ id }) => id)
      const reasons: string[] = []
      let refused: unknown
      let invited = 0
      for (const [at, id] of answers.projects.entries()) {
        if (signal.aborted) break
        progress(at, answers.projects.length)
        try {
          const { data } = await api.write('invitation.create', { id, partner_ids })
          invited += data.done.length
          reasons.push(...data.skipped.map(({ reason }) => reason))
        } catch (error) {
          // A project that refuses doesn't stop the others; a lost connection does.
          const { status, message } = error as { status?: number; message: string }
          if (!status || status === 401) throw error
          refused ??= error
          reasons.push(`${codeOf('project', id)}: ${message}`)
        }
      }
      if (!invited && refused) throw refused
      const skipped = reasons.length ? `; skipped: ${reasons.join(', ')}` : ''
      return {
        message: noticeOf('partner.invite', { count: invited, noun: 'invitation', rest: skipped }),
        undoUntil: Date.now() + outsideSeconds() * 1000,
      }
    },
  }),
  'partner.merge': command({
    title: 'Merge into another partner…',
    on: 'partner',
    keywords: 'duplicate double same twice combine',
    icon: 'arrows',
    undo: 'restores',
    asks: {
      into: ask.entity({
        kind: 'partner',
        label: 'Into',
        async among(api, [gone]) {
          const { data } = await api.read('partner.list', { per_page: 500 })
          const same = (text: string) => nameKey(text) === nameKey(gone?.name ?? '')
          return data
            .filter(({ id }) => id !== gone?.id)
            .sort((a, b) => Number(same(b.name)) - Number(same(a.name)))
            .map((row) => ({
              value: String(row.id),
              label: row.name,
              detail: [row.email || `partner ${row.id}`, number(row.proffers_count, 'answer')].join(' · '),
            }))
        },
      }),
    },
    confirm: ([gone]) => ({
      title: `Merge ${listed([gone!])} into the partner you chose?`,
      body: mergeWords(gone!, null),
      action: 'Merge',
    }),
    async foresees({ api, subjects: [gone], answers, signal }) {
      const { moved } = await api.dryRun('partner.merge', { id: gone!.id, into_id: answers.into }, signal)
      return { body: mergeWords(gone!, moved) }
    },
    async run({ api, subject, answers }) {
      const { moved, message } = await api.write('partner.merge', { id: subject.id, into_id: answers.into })
      return { message: andThen(message, `${movedWords(moved)} moved.`) }
    },
  }),
  'partner.mail': command({
    title: 'Write an email',
    on: 'partner',
    rule: null,
    icon: 'mail',
    undo: 'needless',
    disabledReason: (_workspace, [partner]) => (partner?.record && !emailOf(partner) ? 'it has no email' : null),
    run: ({ subject }) => location.assign(`mailto:${emailOf(subject)}`),
  }),
  'partner.copyEmail': command({
    title: 'Copy email',
    on: 'partner',
    rule: null,
    icon: 'copy',
    copies: true,
    undo: 'needless',
    disabledReason: (_workspace, [partner]) => (partner?.record && !emailOf(partner) ? 'it has no email' : null),
    async run({ subject }) {
      const email = emailOf(subject)
      return copyText(email, `Copied: ${email}`, `Email of ${named(subject)}`)
    },
  }),
  'partner.editField': bulkEditOf('partner', partnerFields),
  'partner.remove': command({
    title: 'Delete partner',
    on: 'partner',
    many: true,
    icon: 'trash',
    danger: true,
    undo: 'restores',
    confirm: (subjects) => ({
      title: `Delete ${listed(subjects)}?`,
      body: `${either(subjects, 'It has', 'They have')} ${sum(subjects, 'open_count') ? number(sum(subjects, 'open_count'), 'open invitation') : 'no open invitation'}, and can’t be invited ${either(subjects, 'it', 'them')} any more. ${either(subjects, 'Its', 'Their')} ${number(sum(subjects, 'proffers_count'), 'answer')} ${sum(subjects, 'proffers_count') === 1 ? 'keeps' : 'keep'} the name.`,
      action: 'Delete',
    }),
    each: {
      done: 'partner.remove',
      one: ({ api, subject, signal }) => api.write('partner.remove', { id: subject.id }, { signal }),
    },
  }),
  'partner.restore': restoreOf('partner'),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof partnerCommands> {}
}
