import { count, dollars } from '../../../contract/format.ts'
import { rewardFields } from '../../../contract/rewardFields.ts'
import { copyFacts, effectOf, quotedName, REWARD, sentenceOf } from '../../../contract/writeEffects.ts'
import type { Api } from '../../data/api.ts'
import { href } from '../../routing/routes.ts'
import { bulkEditOf } from '../bulkEdit.ts'
import { ask, command } from '../command.ts'
import { answered, asksOf, editAsksOf, saves } from '../fieldAsks.ts'
import { projectHere } from '../projectHere.ts'
import { restoreOf } from '../restoring.ts'
import { amountsOf, amountWarning } from '../rewardAmount.ts'
import { idAbove, type Option, recordOf, type Subject } from '../subject.ts'
import { either, listed, noticeOf } from '../words.ts'

const counted = (number: number, one: string, many: string) => `${count(number)} ${number === 1 ? one : many}`

const pendingOf = (subjects: readonly Subject[]) =>
  subjects.reduce((sum, subject) => sum + Number(recordOf(subject, 'reward').pending_count ?? 0), 0)

/** Describes what stays: "12 pending entries keep it and can still be paid.", "No pending entry has it." */
function whatStays(subjects: readonly Subject[]): string {
  const pending = pendingOf(subjects)
  if (!pending) return either(subjects, 'No pending entry has it.', 'No pending entry has one of them.')
  return `${counted(pending, 'pending entry keeps', 'pending entries keep')} ${either(subjects, 'it', 'them')} and can still be paid.`
}

/** Rewards of the catalogue, which projects pay with (screens-people-places-rewards.md, Rewards). */
export const rewardCommands = {
  'reward.open': command({
    title: 'Open reward',
    detail: 'in the list of its project',
    on: 'reward',
    rule: null,
    icon: 'panel',
    undo: 'needless',
    run: ({ workspace, subject }) =>
      workspace.open(
        href('project', { id: subject.record?.project_id ?? 0 }, { tab: 'catalogue', query: { at: subject.id } }),
        'tab',
      ),
  }),
  'reward.create': command({
    title: 'New reward…',
    detail: 'for a project to pay with',
    on: 'nothing',
    group: 'add',
    keywords: 'add gift card incentive catalogue',
    icon: 'plus',
    undo: 'restores',
    asks: {
      project_id: ask.entity({ kind: 'project', label: 'Project', prefill: (_, workspace) => projectHere(workspace) }),
      ...asksOf(rewardFields),
    },
    async run({ api, answers }) {
      const { project_id, amount, partner_id } = answers
      const { data, message } = await api.write('reward.create', { project_id, ...answered(rewardFields, answers) })
      const warning = amountWarning(amount, Number(partner_id))
      return {
        message: noticeOf('reward.create', { words: REWARD, rest: `: ${quotedName(data.name)}` }),
        dialog: {
          title: message,
          body: `“${data.name}”, ${dollars(amount)}, for “${data.project_name}”.${warning ? ` ${warning}` : ''}`,
          leadsTo: href('project', { id: data.project_id }, { tab: 'rewardCenter' }),
          clicked: true,
        },
      }
    },
  }),
  'reward.edit': command({
    title: 'Edit reward…',
    on: 'reward',
    keywords: 'change name amount provider code description',
    icon: 'pencil',
    undo: 'restores',
    asks: editAsksOf(rewardFields),
    confirmIf: (subjects) => pendingOf(subjects) > 0,
    confirm: (subjects, answers) => {
      const [reward] = subjects
      const before = reward?.record?.amount_cents ?? 0
      const pending = pendingOf(subjects)
      const changes = answers.amount !== undefined && answers.amount !== before
      const keep = `${counted(pending, 'pending entry keeps', 'pending entries keep')} ${dollars(before)}.`
      const warning = answers.amount ? amountWarning(answers.amount, Number(answers.partner_id)) : null
      return {
        title: `Save ${listed(subjects)}?`,
        body: [changes ? keep : whatStays(subjects), warning].filter(Boolean).join(' '),
        action: 'Save',
      }
    },
    run: saves('reward', rewardFields),
  }),
  'reward.copyTo': command({
    title: 'Copy to projects…',
    on: 'reward',
    many: true,
    rule: null,
    keywords: 'duplicate clone other project',
    icon: 'copy',
    undo: 'restores',
    asks: { project_ids: ask.entities({ kind: 'project', label: 'Projects', min: 1, max: 100 }) },
    confirm: (subjects, { project_ids }) => ({
      title: `Copy ${listed(subjects)} to ${counted(project_ids?.length ?? 0, 'project', 'projects')}?`,
      body: 'A project that already has one with this name keeps its own.',
      action: 'Copy',
    }),
    async foresees({ api, subjects, answers, signal }) {
      const ids = subjects.map(({ id }) => id)
      const { data } = await api.dryRun('reward.copy', { ids, project_ids: answers.project_ids }, signal)
      return { body: sentenceOf(effectOf('reward.copy'), copyFacts(data.made.length, data.left_out.length), 'before') }
    },
    async run({ api, subjects, answers }) {
      const ids = subjects.map(({ id }) => id)
      const { message } = await api.write('reward.copy', { ids, project_ids: answers.project_ids })
      return { message }
    },
  }),
  'reward.copyFrom': command({
    title: 'Copy from a project…',
    detail: 'the rewards of another one',
    on: ['project', 'campaign'],
    rule: null,
    keywords: 'rewards catalogue duplicate take over',
    icon: 'copy',
    undo: 'restores',
    asks: {
      from: ask.entity({ kind: 'project', label: 'Copy from', among: (api, subjects) => projectsWithRewards(api, subjects) }),
    },
    confirm: (subjects) => ({
      title: `Copy rewards to ${listed(subjects)}?`,
      body: 'Rewards with a name it already has are skipped.',
      action: 'Copy',
    }),
    async foresees({ api, subjects, answers, signal }) {
      const ids = await rewardIdsOf(api, answers.from)
      if (!ids.length) return { body: 'That project has no rewards.', bad: true }
      const { data } = await api.dryRun('reward.copy', { ids, project_ids: [subjects[0]!.id] }, signal)
      return { body: sentenceOf(effectOf('reward.copy'), copyFacts(data.made.length, data.left_out.length), 'before') }
    },
    async run({ api, subject, answers }) {
      const ids = await rewardIdsOf(api, answers.from)
      if (!ids.length) throw new Error('That project has no rewards.')
      const { message } = await api.write('reward.copy', { ids, project_ids: [subject.id] })
      return { message }
    },
  }),
  'reward.editField': bulkEditOf('reward', rewardFields),
  'reward.remove': command({
    title: 'Delete reward',
    on: 'reward',
    many: true,
    danger: true,
    keywords: 'remove',
    icon: 'trash',
    undo: 'restores',
    confirm: (subjects) => ({ title: `Delete ${listed(subjects)}?`, body: whatStays(subjects), action: 'Delete' }),
    each: {
      done: 'reward.remove',
      one: ({ api, subject }) => api.write('reward.remove', { id: subject.id }),
    },
  }),
  'reward.restore': restoreOf('reward'),
} as const

/** Reads the ids of a project's rewards, at most a hundred, which is what one call copies. */
async function rewardIdsOf(api: Api, project: number): Promise<number[]> {
  const { data } = await api.read('reward.ofProject', { id: project, per_page: 100 })
  return data.flatMap((reward) => (reward.project_id === project ? reward.id : []))
}

/** Reads projects with rewards to copy, those of the same client first. */
async function projectsWithRewards(api: Api, [subject]: readonly Subject[]): Promise<Option[]> {
  const { data } = await api.read('reward.list', { per_page: 500, column: 'project_name', order: 'asc' })
  const found = new Map<number, { label: string; client: string; client_id: number; count: number }>()
  for (const { project_id, project_name, client_name, client_id } of data) {
    const one = found.get(project_id) ?? { label: project_name, client: client_name, client_id, count: 0 }
    one.count++
    found.set(project_id, one)
  }
  found.delete(Number(subject?.id))
  const mine = idAbove(subject, 'client')
  return [...found]
    .sort(([, a], [, b]) => Number(b.client_id === mine) - Number(a.client_id === mine))
    .map(([id, { label, client, count }]) => ({
      value: String(id),
      label,
      detail: `${client} · ${counted(count, 'reward', 'rewards')}`,
    }))
}

/** Returns the amounts that the form suggests for a provider, chosen by digit keys. */
export const suggestedAmounts = (provider: number): readonly number[] => amountsOf(provider).slice(0, 9)

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof rewardCommands> {}
}
