import { count, counted } from '../../../contract/format.ts'
import type { Quota, QuotaCell } from '../../../contract/quota.ts'
import { cellOf } from '../../../contract/quotaWhy.ts'
import { quotedName } from '../../../contract/writeEffects.ts'
import { ask, command } from '../command.ts'
import { recordOf, type Subject } from '../subject.ts'
import { foreseenWords } from './foreseen.ts'
import { newTargets, sumWords } from './newTargets.ts'

const CELLS = ['quota', 'quotaCell'] as const
/** The plan of a cell, and the cell; a plan's own cell is its total. */
function partsOf(subject: Subject | undefined): { plan: Quota; cell: QuotaCell } | null {
  const { plan } = recordOf(subject, 'quota', 'quotaCell')
  const cell = plan && subject && (subject.kind === 'quota' ? plan.all : cellOf(plan, subject.id))
  return cell ? { plan, cell } : null
}
const whyNot = (_workspace: unknown, [subject]: readonly Subject[]): string | null => {
  const parts = partsOf(subject)
  return !parts ? 'open the quotas first' : parts.plan.state === 'ended' ? 'the quota plan has ended' : null
}
/** The cells of the same dimension, those that refused most first. */
function others(subject: Subject | undefined): QuotaCell[] {
  const parts = partsOf(subject)
  const dimension = parts?.plan.dimensions.find(({ cells }) => cells.some(({ id }) => id === parts.cell.id))
  return (dimension?.cells ?? [])
    .filter(({ id }) => id !== subject!.id)
    .sort((a, b) => (b.refused_24h ?? 0) - (a.refused_24h ?? 0) || (a.free ?? 0) - (b.free ?? 0))
}
const figures = ({ completes, held = 0, target, free = 0 }: QuotaCell) =>
  `${count(completes + held)} of ${count(target)}, ${count(free)} free`

/** Two cells whose places move, and their targets afterwards; null before both are known. */
function moved(subject: Subject | undefined, to: unknown, places: unknown) {
  const parts = partsOf(subject)
  const other = parts && cellOf(parts.plan, Number(to))
  if (!other) return null
  const { plan, cell } = parts
  const many = Number(places)
  return {
    ...{ cell, other },
    input: {
      id: plan.id,
      cells: [
        { id: cell.id, target: cell.target - many },
        { id: other.id, target: other.target + many },
      ],
      lock_version: plan.lock_version,
    },
  }
}

/** Cells of a quota plan. */
export const quotaCellCommands = {
  'quota.setTarget': command({
    title: 'Set target…',
    on: CELLS,
    rule: null,
    undo: 'restores',
    keywords: 'raise lower quota cell places',
    icon: 'pencil',
    disabledReason: whyNot,
    asks: {
      target: ask.number({
        label: 'Target',
        min: 0,
        prefill: ([subject]: readonly Subject[]) => partsOf(subject)?.cell.target,
        unit: 'completes',
      }),
    },
    confirm: ([subject], { target }) => ({
      title: `Set the target of ${quotedName(subject?.name ?? '', 'quotaCell')} to ${count(target || 0)}?`,
      body: '',
      action: 'Set target',
    }),
    async foresees({ api, subjects: [subject], answers, signal }) {
      const { plan, cell } = partsOf(subject)!
      const input = { id: plan.id, cells: newTargets(plan, cell.id, answers.target), lock_version: plan.lock_version }
      const { foreseen } = await api.dryRun('quota.cells', input, signal)
      return { body: [...sumWords(plan, cell.id, answers.target), foreseenWords(foreseen)].join(' ') }
    },
    async run({ api, subject, answers }) {
      const { plan, cell } = partsOf(subject)!
      const input = { id: plan.id, cells: newTargets(plan, cell.id, answers.target), lock_version: plan.lock_version }
      return { message: (await api.write('quota.cells', input)).message }
    },
  }),
  'quota.move': command({
    title: 'Move places…',
    detail: 'to another cell',
    on: 'quotaCell',
    rule: null,
    undo: 'restores',
    keywords: 'shift quota cell target from',
    icon: 'arrows',
    disabledReason: (workspace, subjects) =>
      whyNot(workspace, subjects) ?? (others(subjects[0]).length ? null : 'its dimension has no other cell'),
    asks: {
      to: ask.option({
        label: 'To',
        asksForOne: true,
        options: ([subject]) =>
          others(subject).map((cell) => ({ value: String(cell.id), label: cell.name, detail: figures(cell) })),
      }),
      places: ask.number({
        label: 'Places',
        min: 1,
        check: (value: string, _answers: unknown, [subject]: readonly Subject[]) => {
          const free = partsOf(subject)?.cell.free ?? 0
          return Number(value) > free ? `It has ${counted(free, 'free place', 'free places')}` : null
        },
      }),
    },
    confirm: ([subject], { to, places }) => {
      const change = moved(subject, to, places)
      return {
        title: change
          ? `Move ${counted(places, 'place', 'places')} to ${quotedName(change.other.name, 'quotaCell')}?`
          : 'Move places?',
        body: '',
        lines: change
          ? [
              { label: change.cell.name, value: `${count(change.cell.target)} → ${count(change.cell.target - places)}` },
              { label: change.other.name, value: `${count(change.other.target)} → ${count(change.other.target + places)}` },
            ]
          : [],
        action: 'Move',
      }
    },
    async foresees({ api, subjects: [subject], answers: { to, places }, signal }) {
      const { foreseen } = await api.dryRun('quota.cells', moved(subject, to, places)!.input, signal)
      return { body: foreseenWords(foreseen) }
    },
    async run({ api, subject, answers: { to, places } }) {
      return { message: (await api.write('quota.cells', moved(subject, to, places)!.input)).message }
    },
  }),
  'quota.close': command({
    title: 'Close or reopen cell',
    titleNow: (_workspace, [subject]) => (partsOf(subject)?.cell.closed ? 'Reopen cell' : 'Close cell'),
    on: CELLS,
    rule: null,
    undo: 'restores',
    keywords: 'stop open quota cell',
    icon: 'x',
    disabledReason: whyNot,
    confirm: ([subject]) => {
      const closed = partsOf(subject)?.cell.closed
      return {
        title: `${closed ? 'Reopen' : 'Close'} ${quotedName(subject?.name ?? '', 'quotaCell')}?`,
        body: '',
        action: closed ? 'Reopen' : 'Close',
      }
    },
    async foresees({ api, subjects: [subject], signal }) {
      const { plan, cell } = partsOf(subject)!
      const input = { id: plan.id, cells: [{ id: cell.id, closed: !cell.closed }], lock_version: plan.lock_version }
      const { foreseen } = await api.dryRun('quota.cells', input, signal)
      return {
        body: cell.closed ? foreseenWords(foreseen) : 'Nobody else is admitted to it; whoever is in the survey may complete.',
      }
    },
    async run({ api, subject }) {
      const { plan, cell } = partsOf(subject)!
      const input = { id: plan.id, cells: [{ id: cell.id, closed: !cell.closed }], lock_version: plan.lock_version }
      return { message: (await api.write('quota.cells', input)).message }
    },
  }),
  'quota.nextStarving': command({
    title: 'Next cell that starves',
    on: 'nothing',
    group: 'list',
    keywords: 'quota starving behind why',
    icon: 'arrows',
    disabledReason: (workspace) => (workspace.list()?.cursor?.kind.startsWith('quota') ? null : 'open the quotas first'),
    async run({ workspace, signal }) {
      const found = await workspace.list()?.seek?.((subject) => recordOf(subject, 'quotaCell').starving === true, signal)
      return found ? undefined : { note: 'No cell starves.' }
    },
  }),
  'quota.right': command({
    title: 'Cell to the right',
    on: 'nothing',
    hidden: true,
    repeats: true,
    run: ({ workspace }) => workspace.list()?.expand(true),
  }),
  'quota.left': command({
    title: 'Cell to the left',
    on: 'nothing',
    hidden: true,
    repeats: true,
    run: ({ workspace }) => workspace.list()?.expand(false),
  }),
} as const

declare module '../command.ts' {
  interface AreaCommands extends Readonly<typeof quotaCellCommands> {}
}
declare module '../subject.ts' {
  interface AddedToRecords {
    quota: { plan: Quota }
    quotaCell: { plan: Quota; starving: boolean }
  }
}
