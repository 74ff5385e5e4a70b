import { useAtomValue } from 'jotai'
import { ChevronDown, ChevronUp, Search } from 'lucide-react'
import { memo, type ReactNode, type Ref, type RefObject, useRef } from 'react'
import { count as figure } from '../../contract/format.ts'
import { PAGE } from '../../contract/pages.ts'
import type { Subject } from '../commands/subject.ts'
import type { CommandId } from '../commands/table.ts'
import { CommandButton } from '../runner/CommandButton.tsx'
import { Button, IconButton } from '../ui/Button.tsx'
import { Chip } from '../ui/Chip.tsx'
import { cx } from '../ui/cx.ts'
import { firstDirection, type Sort } from '../ui/grid/columns.ts'
import { Kbd } from '../ui/Kbd.tsx'
import { loadable } from '../ui/loadable.tsx'
import { Menu } from '../ui/Menu.tsx'
import type { MenuItem } from '../ui/menuItem.ts'
import { SearchInput } from '../ui/SearchInput.tsx'
import { useWidth } from '../ui/useWidth.ts'
import { usePart } from '../workspace/compareRole.ts'
import { whenDrawn } from '../workspace/focusLater.ts'
import { MainAction } from '../workspace/MainAction.tsx'
import { narrowAtom } from '../workspace/workspaceState.ts'
import { sameSort } from './listState.ts'
import type { ListView } from './listView.ts'
import { SearchToggle } from './SearchToggle.tsx'
import type { SearchVisibility } from './useHiddenSearch.ts'
import type { ListViews } from './useViews.ts'
import { ViewChoice } from './ViewChoice.tsx'

export interface FilterChoice {
  /** The filter's key in the URL. */
  name: string
  label: string
  /** The first one is the default. */
  options: readonly { value: string; label: string }[]
}

interface Props {
  ref: Ref<HTMLDivElement>
  title: string
  noun: string
  view: ListView
  views: ListViews
  filters?: readonly FilterChoice[]
  actions?: readonly CommandId[]
  bulk?: readonly CommandId[] | ((selected: readonly Subject[]) => readonly CommandId[])
  primary?: CommandId
  lead?: ReactNode
  note?: string | null
  embedded?: boolean
  columns: readonly { id: string; header: string; sortable?: boolean; figure?: boolean; align?: 'left' | 'right' | 'center' }[]
  count: number | undefined
  /** True if there are more matches than counted. */
  more?: boolean | undefined
  /** True if the count belongs to the current search, not the previous one. */
  settled: boolean
  selected: readonly Subject[]
  onClearSelection(): void
  searching: boolean
  onSearching(is: boolean): void
  searchVisibility: SearchVisibility
  searchBox: RefObject<HTMLInputElement | null>
  /** Focuses the rows. */
  onLeaveBar(): void
  page: number
  pageSize: number
  onPage(page: number): void
  pageLinks?: number
  /** How many of its columns are drawn; 0 without columns. */
  drawn?: number
  onColumns?(): void
}

/** Lists are in the first load; comparisons aren't. */
const FigureDifference = loadable(() => import('../compare/FigureDifference.tsx').then((module) => module.FigureDifference))
const PageLinks = loadable(() => import('../ui/Pager.tsx').then((module) => module.PageLinks))

/** The width in px of the search box with its button. */
const SEARCH_WIDTH = 240
/** How many page links a bar of this width in px has room for, of at most `most`, at any width three. */
export function linksIn(width: number, most: number, pages: number): number {
  const [arrows, gaps] = [64, pages > most ? 36 : 0]
  const link = Math.max(28, 16 + 7 * figure(pages).length)
  const fit = Math.floor((width - arrows - gaps) / link)
  return Math.max(3, Math.min(most, width < 1000 ? PAGE.listLinks : most, fit))
}

/** "projects" → "project", "activities" → "activity". */
const singular = (noun: string) => noun.replace(/ies$/, 'y').replace(/s$/, '')
/** List widths from which each bulk command shows, so that selecting moves no rows; the palette has the others. */
const FROM_WIDTH = [
  '@max-2xl:hidden',
  '@max-3xl:hidden',
  '@max-4xl:hidden',
  '@max-5xl:hidden',
  '@max-6xl:hidden',
  '@max-6xl:hidden',
]
function ListBarInner(props: Props) {
  const { view, filters = [], count, selected } = props
  const bulk = (typeof props.bulk === 'function' ? props.bulk(selected) : props.bulk) ?? []
  const compared = usePart() !== null
  const sortable = props.columns.filter((column) => column.sortable)
  const narrow = useAtomValue(narrowAtom)
  const box = props.searching ? (
    <SearchInput
      ref={props.searchBox}
      className="w-56 narrow:w-auto narrow:flex-1"
      label={`Search ${props.noun}`}
      placeholder={`Search ${props.noun}`}
      value={view.typed}
      onChange={(text) => {
        // A search box opened by a view or link stays when the user clears it.
        props.onSearching(true)
        view.setSearch(text)
      }}
      onEnter={() => {
        view.searchNow()
        if (!view.typed) props.onSearching(false)
        props.onLeaveBar()
      }}
      onClose={() => {
        props.onSearching(false)
        props.onLeaveBar()
      }}
    />
  ) : (
    <button
      type="button"
      data-command="list.search"
      aria-keyshortcuts="/"
      className="flex h-7 w-44 items-center gap-2 rounded-md border border-control bg-surface px-2 text-meta text-muted hover:text-ink @max-md:w-auto narrow:size-9 narrow:justify-center narrow:border-0 narrow:px-0"
      onClick={() => {
        props.onSearching(true)
        whenDrawn(() => props.searchBox.current?.focus())
      }}
    >
      <Search size={narrow ? 16 : 14} aria-hidden="true" />
      <span className="flex-1 text-left narrow:sr-only">Search</span>
      <Kbd mute keys="/" className="narrow:hidden" />
    </button>
  )
  const search = (
    <>
      {!props.searchVisibility.isHidden && box}
      <SearchToggle {...props.searchVisibility} />
    </>
  )
  const pages = Math.max(1, Math.ceil((count ?? 0) / props.pageSize))
  const bar = useRef<HTMLDivElement>(null)
  const most = props.pageLinks ?? (props.pageSize === PAGE.rewards ? PAGE.rewardLinks : PAGE.listLinks)
  const number = count === undefined ? '' : `${figure(count)}${props.more ? '+' : ''}`
  return (
    <div ref={props.ref} className="@container shrink-0 border-b border-line px-4 pt-3 pb-2 narrow:px-3 narrow:pt-1 narrow:pb-1">
      <div
        ref={bar}
        className={cx(
          'flex min-h-7 flex-wrap items-center gap-x-3 gap-y-1 narrow:min-h-9 max-[360px]:gap-x-1.5',
          selected.length === 0 && 'narrow:flex-nowrap',
        )}
      >
        {/* In a narrow window the header shows the title. */}
        {!props.embedded && <h1 className="truncate text-head narrow:sr-only">{props.title}</h1>}
        <span
          // Without room for the noun, the number stays.
          className="text-meta whitespace-nowrap text-muted tabular-nums narrow:h-4 narrow:overflow-hidden narrow:whitespace-normal"
          style={narrow ? { minWidth: `${number.length}ch` } : undefined}
          aria-live="polite"
          aria-atomic="true"
        >
          {count === undefined ? (
            ' '
          ) : (
            <>
              {number} <span className="whitespace-nowrap">{count === 1 ? singular(props.noun) : props.noun}</span>
            </>
          )}
          {compared && <FigureDifference topic={`list ${props.noun}`} value={props.settled ? count : undefined} of={view.key} />}
          {selected.length > 0 && ` · ${figure(selected.length)} selected`}
          {selected.length > 0 && props.note && ` · ${props.note}`}
        </span>
        <span
          className={cx(
            'ml-auto flex flex-wrap items-center gap-1.5 narrow:flex-nowrap narrow:justify-end max-[360px]:gap-0.5',
            props.searching ? 'narrow:min-w-0 narrow:flex-1' : 'narrow:shrink-0',
          )}
        >
          {narrow && search}
          {selected.length > 0 ? (
            <>
              {bulk.map((id, at) =>
                id === props.primary ? (
                  <MainAction key={id}>
                    <CommandButton id={id} subjects={selected} variant="primary" counted />
                  </MainAction>
                ) : (
                  <CommandButton key={id} id={id} subjects={selected} className={FROM_WIDTH[at] ?? '@max-7xl:hidden'} />
                ),
              )}
              <CommandButton id="palette.commands" className={bulk.length > FROM_WIDTH.length ? '@7xl:hidden' : '@6xl:hidden'}>
                More
              </CommandButton>
              <Button data-command="list.clearMarks" onClick={props.onClearSelection} kbd="Esc">
                Clear selection
              </Button>
            </>
          ) : (
            (props.actions ?? []).map((id, at, all) =>
              at === all.length - 1 && id !== 'list.export' ? (
                <MainAction key={id}>
                  <CommandButton id={id} variant="primary" />
                </MainAction>
              ) : (
                <CommandButton
                  key={id}
                  id={id}
                  only={narrow ? 'icon' : undefined}
                  className="narrow:size-9 max-[360px]:size-8!"
                />
              ),
            )
          )}
        </span>
      </div>
      {/* Pages have a line of their own in a narrow window, unless it is low as well. */}
      <div className="mt-2 flex min-h-7 flex-wrap items-center gap-1.5 narrow:-mx-3 narrow:mt-0 narrow:min-h-9 narrow:px-3 narrow:[scrollbar-width:none] narrow:short:flex-nowrap narrow:short:overflow-x-auto">
        <div className="contents narrow:flex narrow:min-h-9 narrow:basis-full narrow:items-center narrow:gap-1.5 narrow:overflow-x-auto narrow:empty:hidden narrow:[scrollbar-width:none] narrow:short:shrink-0 narrow:short:basis-auto narrow:short:overflow-visible">
          <ViewChoice views={props.views} view={view} />
          {props.lead && (
            // A difference makes it wider in some compared columns, so all give it a line of its own.
            <span data-filter="" className={compared ? 'order-first basis-full' : 'narrow:shrink-0 narrow:*:flex-nowrap'}>
              {props.lead}
            </span>
          )}
          {filters.map((filter) => {
            const value = view.filters[filter.name] ?? ''
            const usual = filter.options[0]?.value
            return (
              <span key={filter.name} data-filter={filter.name}>
                <Menu
                  label={filter.label}
                  align="start"
                  onChosen={props.onLeaveBar}
                  trigger={
                    <Chip
                      label={filter.label}
                      value={filter.options.find((option) => option.value === value)?.label ?? value}
                      on={value !== usual}
                    />
                  }
                  items={filter.options.map((option) => ({
                    id: option.value || 'any',
                    label: option.label,
                    checked: option.value === value,
                    one: true,
                    onSelect: () => view.setFilter(filter.name, option.value),
                  }))}
                />
              </span>
            )
          })}
          {sortable.length > 0 && (
            <Menu
              label="Sort"
              align="start"
              onChosen={props.onLeaveBar}
              trigger={<Chip data-sort="" label="Sort" value={<SortName view={view} columns={sortable} />} />}
              items={sortItems(view, sortable)}
            />
          )}
          {props.drawn !== undefined && props.drawn > 0 && props.drawn < props.columns.length && (
            // Shows what is left out, one press away.
            <Chip
              label="Columns"
              value={`${props.drawn} of ${props.columns.length}`}
              data-command="list.columns"
              onClick={props.onColumns}
            />
          )}
        </div>
        <span className="ml-auto flex flex-wrap items-center justify-end gap-2 narrow:mx-auto narrow:max-w-full narrow:empty:hidden narrow:short:max-w-none">
          {pages > 1 && (
            <nav
              aria-label="Pages"
              className="flex min-w-0 items-center gap-1 text-meta text-muted tabular-nums narrow:min-h-9 narrow:overflow-x-auto narrow:[scrollbar-width:none]"
            >
              <IconButton
                data-command="list.previousPage"
                label="Previous page"
                reason={props.page <= 1 ? 'this is the first' : null}
                onClick={() => props.onPage(props.page - 1)}
              >
                <ChevronUp size={14} aria-hidden="true" />
              </IconButton>
              <Page
                bar={bar}
                beside={narrow ? 0 : SEARCH_WIDTH}
                page={props.page}
                pages={pages}
                most={most}
                onPage={props.onPage}
              >
                {figure((props.page - 1) * props.pageSize + 1)}–{figure(Math.min(props.page * props.pageSize, count ?? 0))}
              </Page>
              <IconButton
                data-command="list.nextPage"
                label="Next page"
                reason={props.page >= pages ? 'this is the last' : null}
                onClick={() => props.onPage(props.page + 1)}
              >
                <ChevronDown size={14} aria-hidden="true" />
              </IconButton>
            </nav>
          )}
          {!narrow && <span className="flex items-center gap-2 empty:hidden">{search}</span>}
        </span>
      </div>
    </div>
  )
}

/** Links to pages, as many as the bar has room for. */
function Page({
  bar,
  beside,
  page,
  pages,
  most,
  onPage,
  children,
}: {
  bar: RefObject<HTMLDivElement | null>
  /** The width in px of what is on the same line. */
  beside: number
  page: number
  pages: number
  most: number
  onPage(page: number): void
  children: ReactNode
}) {
  const links = linksIn(useWidth(bar) - beside, most, pages)
  return (
    <>
      <PageLinks page={page} pages={pages} most={links} onPage={onPage} />
      <span aria-live="polite" aria-atomic="true" className="sr-only">
        <span className="sr-only">
          page {figure(page)} of {figure(pages)}, rows
        </span>{' '}
        {children}
      </span>
    </>
  )
}

type Sortable = readonly Props['columns'][number][]
const DIRECTIONS = { asc: 'ascending', desc: 'descending' } as const

/** The current order: "Ordered ↓". */
function SortName({ view, columns }: { view: ListView; columns: Sortable }) {
  const { sort } = view
  if (!sort) return <>newest first</>
  return (
    <>
      {columns.find(({ id }) => id === sort.column)?.header ?? sort.column}
      <span aria-hidden="true"> {sort.direction === 'asc' ? '↑' : '↓'}</span>
      <span className="sr-only"> {DIRECTIONS[sort.direction]}</span>
    </>
  )
}

/** Returns the orders to choose from: the default, each column, and the reverse of the current one. */
export function sortItems(view: ListView, columns: Sortable): MenuItem[] {
  const { sort, usualSort } = view
  const item = (id: string, label: string, to: Sort | null): MenuItem => ({
    id,
    label,
    checked: sameSort(to ?? usualSort, sort),
    one: true,
    onSelect: () => view.sortBy(to),
  })
  const both = (column: Sortable[number]) => {
    const first = firstDirection(column)
    return [first, first === 'asc' ? ('desc' as const) : ('asc' as const)]
      .map((direction): Sort => ({ column: column.id, direction }))
      .filter((to) => !sameSort(to, usualSort))
      .map((to) => item(`${to.column} ${to.direction}`, `${column.header}, ${DIRECTIONS[to.direction]}`, to))
  }
  const usual = usualSort && columns.find(({ id }) => id === usualSort.column)
  return [
    item('usual', usualSort ? `Default order: ${usual?.header ?? usualSort.column}` : 'Newest first', null),
    ...columns.flatMap((column) =>
      column.id === sort?.column || column.id === usualSort?.column
        ? both(column)
        : [item(column.id, column.header, { column: column.id, direction: firstDirection(column) })],
    ),
  ]
}

/** A list's header: title, count, commands, search, filters, order, page, and bulk commands for selected rows. */
export const ListBar = memo(ListBarInner)
