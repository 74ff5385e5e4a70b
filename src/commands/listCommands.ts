import { exportColumns } from '../../contract/exportColumns.ts'
import type { ExportName } from '../../contract/exports.ts'
import { counted } from '../../contract/format.ts'
import { ask, type Command, command, type RunContext } from './command.ts'
import type { Option } from './subject.ts'
import { noticeOf } from './words.ts'
import type { ColumnsController, WorkspaceApi } from './workspaceApi.ts'

const NO_LIST = 'there is no list here'
const run = (work: (context: RunContext<Record<string, never>>) => unknown) => (context: RunContext<object>) => {
  const result = work(context as RunContext<Record<string, never>>)
  return result instanceof Promise ? result.then(() => undefined) : undefined
}
const inList = (
  title: string,
  work: Parameters<typeof run>[0],
  more: {
    hidden?: true
    repeats?: true
    onRow?: true
    keywords?: string
    times?: Command['times']
    titleNow?: Command['titleNow']
    whole?: true
  } = {},
) => {
  const { whole, ...row } = more
  return command({
    title,
    on: 'nothing',
    group: 'list',
    disabledReason: (workspace) => (workspace.list() && !(whole && workspace.list()?.entries) ? null : NO_LIST),
    ...row,
    run: run(work),
  })
}
/** For commands that lists of entries can't run, since they have only a cursor. */
const WHOLE = { whole: true } as const

const exportable = (workspace: WorkspaceApi): string | null =>
  workspace.list()?.exportable ? null : 'there is no list here that can be exported'

/** Returns the focused list's exportable columns: visible ones in order, then hidden ones unless `visibleOnly`. */
function columnsOf(workspace: WorkspaceApi | undefined, visibleOnly = false): readonly Option[] {
  const list = workspace?.list()
  if (!list?.exportable) return []
  const names = list.exportable.columns
  const shown = new Set(list.columns(false))
  return exportColumns(names, list.columns(visibleOnly), visibleOnly).map((value) => ({
    value,
    label: names[value]!,
    ...(shown.has(value) ? {} : { detail: 'not in the list' }),
  }))
}
const idsOf = (options: readonly Option[]) => options.map(({ value }) => value)

/** Exports columns of the focused list: its selected rows if any, or else all matches, in its order. */
/** Export sources whose files have each project's children, of which a list counts only the parents. */
const FAMILIES: ReadonlySet<string> = new Set(['projects', 'campaigns'])

async function exported(
  { api, workspace }: Pick<RunContext<unknown>, 'api' | 'workspace'>,
  columns: readonly string[],
  format: 'csv' | 'xlsx' = 'csv',
) {
  const list = workspace.list()!
  const { source, filter } = list.exportable!
  const ids = list.selected.map((subject) => subject.id)
  const { data: job } = await api.write('export.start', {
    source: source as ExportName,
    filter: { ...filter, ...(ids.length ? { ids } : {}) },
    columns: [...columns],
    format,
  })
  workspace.follow(job.id, 'Export ready')
  const rows = ids.length ? ` of ${counted(ids.length, 'selected row')}` : ''
  const rest = FAMILIES.has(source) ? ', with the children of each project' : ''
  return { message: noticeOf('export.start', { words: [`the export${rows}`, 'exports'], rest }) }
}

/** Searches the list, or the whole pane if the list has no search. */
export const find = (workspace: WorkspaceApi): void => (workspace.list()?.search ?? workspace.find)()

const NO_COLUMNS = 'there is no list here with columns'
const columnsOn = (workspace: WorkspaceApi): ColumnsController | undefined => workspace.list()?.columnsAt
/** Declares a command on the column of the cell cursor, or of the focused header. */
const onColumn = (
  title: string,
  work: (columns: ColumnsController) => void,
  {
    refused,
    ...more
  }: { repeats?: true; refused?: (columns: ColumnsController) => string | null; titleNow?: Command['titleNow'] } = {},
) =>
  command({
    title,
    undo: 'needless',
    on: 'nothing',
    group: 'list',
    icon: 'columns',
    keywords: 'resize width order arrange freeze',
    disabledReason: (workspace) => {
      const columns = columnsOn(workspace)
      if (!columns) return NO_COLUMNS
      return columns.header === null ? 'go to one of its cells with → first' : (refused?.(columns) ?? null)
    },
    ...more,
    run({ workspace }) {
      const columns = columnsOn(workspace)
      if (columns) work(columns)
    },
  })

/** Commands of every list; the focused one runs them. */
export const listCommands = {
  'list.down': inList('Next row', ({ workspace }) => workspace.list()?.move(1), {
    hidden: true,
    repeats: true,
    times: (workspace, count) => workspace.list()?.move(count),
  }),
  'list.up': inList('Previous row', ({ workspace }) => workspace.list()?.move(-1), {
    hidden: true,
    repeats: true,
    times: (workspace, count) => workspace.list()?.move(-count),
  }),
  'list.screenDown': inList('Scroll down a screen', ({ workspace }) => workspace.list()?.screen(1), {
    hidden: true,
    repeats: true,
    times: (workspace, count) => workspace.list()?.screen(1, count),
  }),
  'list.screenUp': inList('Scroll up a screen', ({ workspace }) => workspace.list()?.screen(-1), {
    hidden: true,
    repeats: true,
    times: (workspace, count) => workspace.list()?.screen(-1, count),
  }),
  'list.first': inList('First row', ({ workspace }) => workspace.list()?.end('first'), { hidden: true }),
  'list.last': inList('Last row', ({ workspace }) => workspace.list()?.end('last'), { hidden: true }),
  'list.open': inList('Open row', ({ workspace }) => workspace.list()?.open('here'), { hidden: true, onRow: true }),
  'list.openBeside': inList('Open row beside', ({ workspace }) => workspace.list()?.open('beside'), {
    hidden: true,
    onRow: true,
  }),
  'list.openPinned': inList('Open row in a new tab', ({ workspace }) => workspace.list()?.open('pinned'), {
    hidden: true,
    onRow: true,
  }),
  'list.preview': inList('Preview row beside', ({ workspace }) => workspace.list()?.open('glance'), {
    hidden: true,
    onRow: true,
  }),
  'list.mark': inList('Select row', ({ workspace }) => workspace.list()?.select(), {
    hidden: true,
    onRow: true,
    times: (workspace, count) => workspace.list()?.selectRange(count - 1),
  }),
  'list.markDown': inList('Extend selection down', ({ workspace }) => workspace.list()?.selectRange(1), {
    hidden: true,
    repeats: true,
    onRow: true,
    times: (workspace, count) => workspace.list()?.selectRange(count),
  }),
  'list.markUp': inList('Extend selection up', ({ workspace }) => workspace.list()?.selectRange(-1), {
    hidden: true,
    repeats: true,
    onRow: true,
    times: (workspace, count) => workspace.list()?.selectRange(-count),
  }),
  'list.markTo': inList('Select to cursor', ({ workspace }) => workspace.list()?.selectRange(0), {
    hidden: true,
    onRow: true,
  }),
  'list.markAll': inList('Select all that match', ({ workspace }) => workspace.list()?.selectAll(), {
    ...WHOLE,
    keywords: 'select everything',
    titleNow: (workspace) => (workspace.list()?.leavesFlagged ? 'Select all unflagged' : null),
    times: (workspace, count) => {
      const list = workspace.list()
      list?.selectNext ? list.selectNext(count) : list?.selectRange(count - 1)
    },
  }),
  'list.clearMarks': inList(
    'Clear selection',
    ({ workspace }) => {
      // With nothing to clear, Escape leaves zen.
      if (!workspace.list()?.clearSelection()) workspace.layout.zen(false)
    },
    {
      keywords: 'unselect',
    },
  ),
  'list.search': inList('Search this list', ({ workspace }) => find(workspace), { ...WHOLE, keywords: 'find' }),
  'list.toggleSearch': command({
    title: 'Hide or show search',
    titleNow: (workspace) => (workspace.list()?.searchHidden ? 'Show search' : 'Hide search'),
    detail: 'the search box of this list',
    undo: 'needless',
    on: 'nothing',
    group: 'list',
    keywords: 'toggle box',
    disabledReason: (workspace) => (workspace.list()?.toggleSearch ? null : 'there is no list here with a search box'),
    run: ({ workspace }) => workspace.list()?.toggleSearch?.(),
  }),
  'list.filter': inList('Filter this list', ({ workspace }) => workspace.list()?.filter(), WHOLE),
  'list.sort': inList('Sort this list', ({ workspace }) => workspace.list()?.sort(), { ...WHOLE, keywords: 'order' }),
  'list.nextPage': inList('Next page', ({ workspace }) => workspace.list()?.page(1), {
    hidden: true,
    times: (workspace, count) => workspace.list()?.page(count),
  }),
  'list.previousPage': inList('Previous page', ({ workspace }) => workspace.list()?.page(-1), {
    hidden: true,
    times: (workspace, count) => workspace.list()?.page(-count),
  }),
  'list.edit': inList('Edit row in place', ({ workspace }) => workspace.list()?.edit(), { hidden: true, onRow: true }),
  'list.expand': inList('Show children', ({ workspace }) => workspace.list()?.expand(true), { hidden: true, onRow: true }),
  'list.collapse': inList('Hide children', ({ workspace }) => workspace.list()?.expand(false), { hidden: true, onRow: true }),
  'list.rowMenu': inList('Menu of the row', ({ workspace }) => workspace.list()?.rowMenu?.(), { hidden: true, onRow: true }),
  'list.columns': command({
    title: 'Columns…',
    detail: 'show, hide, move and resize',
    on: 'nothing',
    group: 'list',
    keywords: 'show hide order width resize arrange table',
    icon: 'columns',
    disabledReason: (workspace) => (columnsOn(workspace) ? null : NO_COLUMNS),
    run: ({ workspace }) => columnsOn(workspace)?.open(),
  }),
  'list.columnsReset': command({
    title: 'Reset columns',
    undo: 'needless',
    on: 'nothing',
    group: 'list',
    keywords: 'usual default order width show all',
    icon: 'undo',
    disabledReason: (workspace) => {
      const columns = columnsOn(workspace)
      return !columns ? NO_COLUMNS : columns.changed ? null : 'the columns are at their defaults'
    },
    run: ({ workspace }) => columnsOn(workspace)?.reset(),
  }),
  'list.columnWider': onColumn('Widen this column', (columns) => columns.wider(), { repeats: true }),
  'list.columnNarrower': onColumn('Narrow this column', (columns) => columns.narrower(), { repeats: true }),
  'list.columnLeft': onColumn('Move this column left', (columns) => columns.left()),
  'list.columnRight': onColumn('Move this column right', (columns) => columns.right()),
  'list.columnPin': onColumn('Pin this column', (columns) => columns.pin(), {
    titleNow: (workspace) => (columnsOn(workspace)?.isPinned ? 'Unpin this column' : null),
    refused: (columns) => (columns.isName ? 'names always stay in sight' : null),
  }),
  'list.columnHide': onColumn('Hide this column', (columns) => columns.hide(), {
    refused: (columns) => (columns.isName ? 'names are always shown' : null),
  }),
  'list.menu': inList('All actions for this row', ({ workspace }) => workspace.list()?.menu(), { hidden: true, onRow: true }),
  'list.export': command({
    title: 'Export this list…',
    undo: 'needless',
    detail: 'selected rows, or all that match',
    on: 'nothing',
    group: 'list',
    keywords: 'csv download',
    icon: 'download',
    disabledReason: exportable,
    asks: {
      columns: ask.several({
        label: 'Columns',
        options: (_subjects, workspace) => columnsOf(workspace),
        prefill: (_subjects, workspace) => idsOf(columnsOf(workspace)),
      }),
    },
    run(context) {
      // A repeated or linked command may meet another list, so drop columns that it lacks.
      const all = idsOf(columnsOf(context.workspace))
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
    disabledReason: exportable,
    run: (context) => exported(context, idsOf(columnsOf(context.workspace)), 'xlsx'),
  }),
  'list.exportShown': command({
    title: 'Export visible columns',
    undo: 'needless',
    detail: 'of selected rows, or all that match',
    on: 'nothing',
    group: 'list',
    keywords: 'csv download list fewer fields shown',
    icon: 'download',
    disabledReason: exportable,
    run: (context) => exported(context, idsOf(columnsOf(context.workspace, true))),
  }),
} as const
