import { exportColumns } from '../../contract/exportColumns.ts'
import type { ExportName } from '../../contract/exports.ts'
import { ask, command, type RunContext } from './command.ts'
import type { Desk } from './desk.ts'
import type { Option } from './subject.ts'

const run = (work: (context: RunContext<Record<string, never>>) => unknown) => (context: RunContext<object>) => {
  const result = work(context as RunContext<Record<string, never>>)
  return result instanceof Promise ? result.then(() => undefined) : undefined
}
const inList = (
  title: string,
  work: Parameters<typeof run>[0],
  more: { hidden?: true; repeats?: true; onRow?: true; keywords?: string } = {},
) =>
  command({
    title,
    on: 'nothing',
    group: 'list',
    unless: (desk) => (desk.list() ? null : 'there is no list here'),
    ...more,
    run: run(work),
  })

const exportable = (desk: Desk): string | null => (desk.list()?.exportable ? null : 'there is no list here that can be exported')

/** The columns that the list before the person can be exported with: its own first and in their order, then what it does not show; or those in sight alone. */
function columnsOf(desk: Desk | undefined, inSight = false): readonly Option[] {
  const list = desk?.list()
  if (!list?.exportable) return []
  const names = list.exportable.columns
  const shown = new Set(list.columns(false))
  return exportColumns(names, list.columns(inSight), inSight).map((value) => ({
    value,
    label: names[value]!,
    ...(shown.has(value) ? {} : { detail: 'not in the list' }),
  }))
}
const idsOf = (options: readonly Option[]) => options.map(({ value }) => value)

/** Exports the list before the person: as it is filtered and sorted, its marked rows where there are some, with these columns. */
async function exported(
  { api, desk }: Pick<RunContext<unknown>, 'api' | 'desk'>,
  columns: readonly string[],
  format: 'csv' | 'xlsx' = 'csv',
) {
  const list = desk.list()!
  const { source, filter } = list.exportable!
  const ids = list.marked.map((subject) => subject.id)
  await api.write('export.start', {
    source: source as ExportName,
    filter: { ...filter, ...(ids.length ? { ids } : {}) },
    columns: [...columns],
    format,
  })
  desk.show('jobs')
  const rows = `${ids.length.toLocaleString('en-US')} selected row${ids.length === 1 ? '' : 's'}`
  return { said: ids.length ? `Export of ${rows} started` : 'Export started' }
}

/** What every list understands; the focused one answers. */
export const listCommands = {
  'list.down': inList('Next row', ({ desk }) => desk.list()?.move(1), { hidden: true, repeats: true }),
  'list.up': inList('Previous row', ({ desk }) => desk.list()?.move(-1), { hidden: true, repeats: true }),
  'list.screenDown': inList('Down a screen of rows', ({ desk }) => desk.list()?.screen(1), { hidden: true, repeats: true }),
  'list.screenUp': inList('Up a screen of rows', ({ desk }) => desk.list()?.screen(-1), { hidden: true, repeats: true }),
  'list.first': inList('First row', ({ desk }) => desk.list()?.end('first'), { hidden: true }),
  'list.last': inList('Last row', ({ desk }) => desk.list()?.end('last'), { hidden: true }),
  'list.open': inList('Open the row', ({ desk }) => desk.list()?.open('here'), { hidden: true, onRow: true }),
  'list.openBeside': inList('Open the row beside', ({ desk }) => desk.list()?.open('beside'), { hidden: true, onRow: true }),
  'list.openPinned': inList('Open the row in a tab that stays', ({ desk }) => desk.list()?.open('pinned'), {
    hidden: true,
    onRow: true,
  }),
  'list.preview': inList('Look at the row beside', ({ desk }) => desk.list()?.open('glance'), { hidden: true, onRow: true }),
  'list.mark': inList('Select the row', ({ desk }) => desk.list()?.mark(), { hidden: true, onRow: true }),
  'list.markDown': inList('Select downwards', ({ desk }) => desk.list()?.markRange(1), {
    hidden: true,
    repeats: true,
    onRow: true,
  }),
  'list.markUp': inList('Select upwards', ({ desk }) => desk.list()?.markRange(-1), { hidden: true, repeats: true, onRow: true }),
  'list.markTo': inList('Select up to the cursor', ({ desk }) => desk.list()?.markRange(0), { hidden: true, onRow: true }),
  'list.markAll': inList('Select all that match', ({ desk }) => desk.list()?.markAll(), { keywords: 'select everything' }),
  'list.clearMarks': inList('Clear the selection', ({ desk }) => desk.list()?.clearMarks(), { keywords: 'unselect' }),
  'list.search': inList('Search this list', ({ desk }) => desk.list()?.search(), { keywords: 'find' }),
  'list.filter': inList('Filter this list', ({ desk }) => desk.list()?.filter()),
  'list.sort': inList('Sort this list', ({ desk }) => desk.list()?.sort(), { keywords: 'order' }),
  'list.nextPage': inList('Next page', ({ desk }) => desk.list()?.page(1), { hidden: true }),
  'list.previousPage': inList('Previous page', ({ desk }) => desk.list()?.page(-1), { hidden: true }),
  'list.edit': inList('Edit the row in place', ({ desk }) => desk.list()?.edit(), { hidden: true, onRow: true }),
  'list.expand': inList('Show the children', ({ desk }) => desk.list()?.expand(true), { hidden: true, onRow: true }),
  'list.collapse': inList('Hide the children', ({ desk }) => desk.list()?.expand(false), { hidden: true, onRow: true }),
  'list.menu': inList('Everything for this row', ({ desk }) => desk.list()?.menu(), { hidden: true, onRow: true }),
  'list.export': command({
    title: 'Export this list…',
    undo: 'needless',
    detail: 'selected rows, or all that match',
    on: 'nothing',
    group: 'list',
    keywords: 'csv download',
    icon: 'download',
    unless: exportable,
    asks: {
      columns: ask.several({
        label: 'Columns',
        options: (_subjects, desk) => columnsOf(desk),
        prefill: (_subjects, desk) => idsOf(columnsOf(desk)),
      }),
    },
    run(context) {
      // Repeated, or come by a link, it may stand before another list: what that one has not is left out, and in its order.
      const all = idsOf(columnsOf(context.desk))
      const chosen = all.filter((id) => context.answers.columns.includes(id))
      return exported(context, chosen.length ? chosen : all)
    },
  }),
  'list.exportXlsx': command({
    title: 'Export this list as Excel',
    undo: 'needless',
    on: 'nothing',
    group: 'list',
    keywords: 'xlsx spreadsheet',
    icon: 'download',
    unless: exportable,
    run: (context) => exported(context, idsOf(columnsOf(context.desk)), 'xlsx'),
  }),
  'list.exportShown': command({
    title: 'Export the columns in sight',
    undo: 'needless',
    detail: 'of selected rows, or all that match',
    on: 'nothing',
    group: 'list',
    keywords: 'csv download list fewer fields shown',
    icon: 'download',
    unless: exportable,
    run: (context) => exported(context, idsOf(columnsOf(context.desk, true))),
  }),
} as const
