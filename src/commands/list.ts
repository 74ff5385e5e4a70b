import type { ExportName } from '../../contract/exports.ts'
import type { Desk } from '../workspace/desk.ts'
import { command, type RunContext } from './command.ts'

const run = (work: (context: RunContext<Record<string, never>>) => unknown) => (context: RunContext<object>) => {
  const result = work(context as RunContext<Record<string, never>>)
  return result instanceof Promise ? result.then(() => undefined) : undefined
}
const inList = (
  title: string,
  work: Parameters<typeof run>[0],
  more: { hidden?: true; repeats?: true; keywords?: string } = {},
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

/** Exports the list before the person: as it is filtered and sorted, its marked rows where there are some, its columns in their order. */
async function exported({ api, desk }: Pick<RunContext<unknown>, 'api' | 'desk'>, inSight: boolean) {
  const list = desk.list()!
  const { source, filter } = list.exportable!
  const ids = list.marked.map((subject) => subject.id)
  const listed = list.columns(inSight)
  const { exportColumns } = await import('../../contract/exports.ts')
  await api.write('export.start', {
    source: source as ExportName,
    filter: { ...filter, ...(ids.length ? { ids } : {}) },
    columns: exportColumns(source as ExportName, listed, inSight),
  })
  desk.show('jobs')
  const rows = `${ids.length.toLocaleString('en-US')} marked row${ids.length === 1 ? '' : 's'}`
  return { said: ids.length ? `The export of ${rows} has begun` : 'The export has begun' }
}

/** What every list understands; the focused one answers. */
export const listCommands = {
  'list.down': inList('Next row', ({ desk }) => desk.list()?.move(1), { hidden: true, repeats: true }),
  'list.up': inList('Previous row', ({ desk }) => desk.list()?.move(-1), { hidden: true, repeats: true }),
  'list.screenDown': inList('Down a screen of rows', ({ desk }) => desk.list()?.screen(1), { hidden: true, repeats: true }),
  'list.screenUp': inList('Up a screen of rows', ({ desk }) => desk.list()?.screen(-1), { hidden: true, repeats: true }),
  'list.first': inList('First row', ({ desk }) => desk.list()?.end('first'), { hidden: true }),
  'list.last': inList('Last row', ({ desk }) => desk.list()?.end('last'), { hidden: true }),
  'list.open': inList('Open the row', ({ desk }) => desk.list()?.open('here'), { hidden: true }),
  'list.openBeside': inList('Open the row beside', ({ desk }) => desk.list()?.open('beside'), { hidden: true }),
  'list.openPinned': inList('Open the row in a tab that stays', ({ desk }) => desk.list()?.open('pinned'), { hidden: true }),
  'list.preview': inList('Preview the row', ({ desk }) => desk.list()?.open('here'), { hidden: true }),
  'list.mark': inList('Mark the row', ({ desk }) => desk.list()?.mark(), { hidden: true }),
  'list.markDown': inList('Mark downwards', ({ desk }) => desk.list()?.markRange(1), { hidden: true, repeats: true }),
  'list.markUp': inList('Mark upwards', ({ desk }) => desk.list()?.markRange(-1), { hidden: true, repeats: true }),
  'list.markTo': inList('Mark up to the cursor', ({ desk }) => desk.list()?.markRange(0), { hidden: true }),
  'list.markAll': inList('Mark all that match', ({ desk }) => desk.list()?.markAll(), { keywords: 'select everything' }),
  'list.clearMarks': inList('Clear the marks', ({ desk }) => desk.list()?.clearMarks(), { keywords: 'unselect' }),
  'list.search': inList('Search this list', ({ desk }) => desk.list()?.search(), { keywords: 'find' }),
  'list.filter': inList('Filter this list', ({ desk }) => desk.list()?.filter()),
  'list.sort': inList('Sort this list', ({ desk }) => desk.list()?.sort(), { keywords: 'order' }),
  'list.nextPage': inList('Next page', ({ desk }) => desk.list()?.page(1), { hidden: true }),
  'list.previousPage': inList('Previous page', ({ desk }) => desk.list()?.page(-1), { hidden: true }),
  'list.edit': inList('Edit the row in place', ({ desk }) => desk.list()?.edit(), { hidden: true }),
  'list.expand': inList('Show the children', ({ desk }) => desk.list()?.expand(true), { hidden: true }),
  'list.collapse': inList('Hide the children', ({ desk }) => desk.list()?.expand(false), { hidden: true }),
  'list.menu': inList('Everything for this row', ({ desk }) => desk.list()?.menu(), { hidden: true }),
  'list.export': command({
    title: 'Export this list',
    undo: 'needless',
    detail: 'every field of the marked rows, or of all that match',
    on: 'nothing',
    group: 'list',
    keywords: 'csv download',
    icon: 'download',
    unless: exportable,
    run: (context) => exported(context, false),
  }),
  'list.exportShown': command({
    title: 'Export the columns in sight',
    undo: 'needless',
    detail: 'of the marked rows, or of all that match',
    on: 'nothing',
    group: 'list',
    keywords: 'csv download list fewer fields shown',
    icon: 'download',
    unless: exportable,
    run: (context) => exported(context, true),
  }),
} as const
