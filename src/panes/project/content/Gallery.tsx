import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { participant, type Section } from '../../../../contract/contentWords.ts'
import type { CommandId } from '../../../commands/table.ts'
import { moment } from '../../../data/format.ts'
import { isGap, itemMaker, shownOf } from '../../../list/flattenRows.ts'
import { type FilterChoice, ListBar } from '../../../list/ListBar.tsx'
import { ListEmpty, ListTrouble } from '../../../list/ListStates.tsx'
import type { RowSource } from '../../../list/rowSource.ts'
import { placeOfList } from '../../../list/scrollRestore.ts'
import { useCursor } from '../../../list/useCursor.ts'
import { useHiddenSearch } from '../../../list/useHiddenSearch.ts'
import type { useNounList } from '../../../list/useNounList.ts'
import { useRows } from '../../../list/useRows.ts'
import { useSelection } from '../../../list/useSelection.ts'
import { useViews } from '../../../list/useViews.ts'
import { CommandButton } from '../../../runner/CommandButton.tsx'
import { cx } from '../../../ui/cx.ts'
import type { GridHandle } from '../../../ui/grid/DataGrid.tsx'
import { SelectionBox } from '../../../ui/SelectionBox.tsx'
import { Skeleton } from '../../../ui/States.tsx'
import { useWidth } from '../../../ui/useWidth.ts'
import { focusChanged } from '../../../workspace/focusLater.ts'
import { usePane } from '../../../workspace/pane.tsx'
import { useFocusOnArrival } from '../../../workspace/useFocusOnArrival.ts'
import { type ContentItem, itemSubject, ReviewPill, Thumb } from '../../shared/ContentItem.tsx'
import { momentDay } from '../../shared/momentDay.ts'
import { Previewed, usePreview } from '../../shared/preview.tsx'
import { PAGE, useGalleryController } from './useGalleryController.ts'

type NounList = ReturnType<typeof useNounList<'content', Record<string, string>>>
interface Props extends Pick<NounList, 'view' | 'source' | 'exportable'> {
  section: Section
  filters: readonly FilterChoice[]
  lead: React.ReactNode
  /** The number of items that arrived since the gallery opened; `onFresh` shows them. */
  fresh: number
  onFresh(): void
  canReview: boolean
}

/** A tile's minimum width and its height, in px; a comment spans the whole width. */
const TILE = { width: 180, height: 196 } as const
const COMMENT = 88
/** Rows of tiles rendered beyond the visible ones. */
const AHEAD = 2
const BULK: readonly CommandId[] = ['content.accept', 'content.reject', 'content.rotate', 'content.restore', 'content.download']
const itemOf = itemMaker(itemSubject)

/** A virtualized grid of a section's items; shortcuts move, select and preview. */
export function Gallery({ section, view, source, exportable: exports, filters, lead, fresh, onFresh, canReview }: Props) {
  const pane = usePane()
  const list = `${pane.id}-content-${section}`
  const exportKey = exports ? JSON.stringify(exports) : null
  // Keeps one object per filter, so that consumers don't re-render needlessly.
  const exportable = useMemo(() => (exportKey ? (JSON.parse(exportKey) as NonNullable<typeof exports>) : undefined), [exportKey])
  const box = useRef<HTMLDivElement>(null)
  const bar = useRef<HTMLDivElement>(null)
  const searchBox = useRef<HTMLInputElement>(null)
  const [restored] = useState(() => placeOfList(list, view.key) ?? null)
  const rows = useRows(source as RowSource<ContentItem>, restored?.at ?? 0, pane.visible)
  const { count = 0, chunk, chunks } = rows
  const shown = useMemo(
    () => shownOf({ count, chunk, chunks, open: NONE, childrenOf: undefined, itemOf }),
    [count, chunk, chunks],
  )
  const width = useWidth(box)
  const across = section === 'comments' ? 1 : Math.max(2, Math.floor((width - 24) / TILE.width))
  const height = section === 'comments' ? COMMENT : TILE.height
  const [top, setTop] = useState(restored?.top ?? 0)
  const [tall, setTall] = useState(600)
  const grid = useRef<GridHandle>(null)
  const scrollTo = useCallback(
    (index: number) => {
      const at = Math.floor(index / across) * height
      const view = box.current
      if (!view) return
      if (at < view.scrollTop) view.scrollTop = at
      else if (at + height > view.scrollTop + view.clientHeight) view.scrollTop = at + height - view.clientHeight
    },
    [across, height],
  )
  useLayoutEffect(() => {
    grid.current = {
      focus: () => box.current?.focus(),
      scrollTo,
      rowsInView: () => Math.max(1, Math.floor((box.current?.clientHeight ?? 600) / height)),
      visibleColumns: () => [],
    } as GridHandle
  })
  const cursor = useCursor(shown, view, PAGE, grid, { list, place: restored, remembered: rows.remembered, active: pane.active })
  const selection = useSelection({
    rows,
    shown,
    source: source as RowSource<ContentItem>,
    subjectOf: itemSubject,
    under: view.key,
    matching: exportable ?? null,
    kind: section,
    leavesOut: undefined,
  })
  const views = useViews(view, list)
  const [searching, setSearching] = useState(view.search !== '')
  const searchVisibility = useHiddenSearch(section, searching || view.typed !== '', () => {
    view.setSearch('')
    setSearching(false)
  })
  const { at, moveTo: goTo } = cursor
  const preview = usePreview({ cursor, shown, filter: exportable?.filter })
  const { follow, show } = preview
  const moveTo = useCallback(
    (index: number) => {
      follow()
      goTo(index)
    },
    [follow, goTo],
  )
  useEffect(() => scrollTo(Math.max(0, at)), [at, scrollTo])

  const { see } = rows.loader
  const openAt = useCallback(
    (index: number) => {
      goTo(index)
      const one = shown.at(index)
      if (one && !isGap(one)) show(one.row.id)
    },
    [goTo, shown, show],
  )
  const search = useCallback(() => {
    focusChanged(
      () => setSearching(true),
      () => searchBox.current,
    )
  }, [])
  useGalleryController({
    ...{ shown, cursor, rows, selection, preview, exportable, fresh, onFresh },
    ...{ across, views: views.workspace, moveTo, search, searchVisibility, grid, bar },
  })

  const first = Math.max(0, Math.floor(top / height) - AHEAD)
  const last = Math.min(Math.ceil(count / across), Math.ceil((top + tall) / height) + AHEAD)
  useEffect(() => {
    if (count) see(Math.min(count - 1, first * across), Math.max(0, Math.min(count, last * across) - 1))
    else see(0, PAGE - 1)
  }, [see, first, last, across, count])
  useLayoutEffect(() => {
    const now = box.current
    if (!now) return
    if (restored?.top) now.scrollTop = restored.top
    const watch = new ResizeObserver(() => setTall(now.clientHeight))
    watch.observe(now)
    return () => watch.disconnect()
  }, [restored])
  useFocusOnArrival(pane, () => box.current?.focus({ preventScroll: true }), rows.count !== undefined)

  const inSight = Array.from(
    { length: Math.max(0, Math.min(count, last * across) - first * across) },
    (_, nth) => first * across + nth,
  )
  const noun = section
  const actions: readonly CommandId[] = canReview
    ? ['list.export', 'content.downloadAll', 'content.add']
    : ['list.export', 'content.downloadAll']
  return (
    <div className="relative flex min-h-0 flex-1 flex-col short:flex-none">
      <ListBar
        ref={bar}
        title={section}
        noun={noun}
        embedded
        view={view}
        views={views}
        filters={filters}
        lead={lead}
        actions={actions}
        bulk={canReview ? BULK : ['content.download']}
        columns={COLUMNS}
        count={rows.count}
        settled={!rows.stale}
        selected={selection.selected}
        onClearSelection={selection.clear}
        searching={searching || view.typed !== ''}
        onSearching={setSearching}
        searchVisibility={searchVisibility}
        searchBox={searchBox}
        onLeaveBar={() => box.current?.focus()}
        page={cursor.page}
        pageSize={PAGE}
        onPage={(page) => moveTo((page - 1) * PAGE)}
      />
      {fresh > 0 && (
        <div className="flex shrink-0 justify-center border-b border-line bg-sunken py-1">
          <CommandButton id="content.showNew" variant="ghost">
            {fresh} new
          </CommandButton>
        </div>
      )}
      {rows.error && <ListTrouble noun={noun} error={rows.error} retry={rows.loader.retry} slim={count > 0} />}
      <div
        ref={box}
        role="listbox"
        aria-label={LABELS[section]}
        aria-multiselectable="true"
        aria-activedescendant={cursor.row ? `${list}-${cursor.row.id}` : undefined}
        tabIndex={0}
        className="min-h-0 flex-1 overflow-auto px-3 outline-none short:h-[max(8rem,50dvh)] short:flex-none"
        onScroll={(event) => {
          setTop(event.currentTarget.scrollTop)
          cursor.scrolled(event.currentTarget.scrollTop)
        }}
      >
        {rows.count === undefined && !rows.error ? (
          <Skeleton rows={6} />
        ) : rows.count === 0 && !rows.error ? (
          <div role="option" aria-selected="false" aria-label={EMPTY[section]} tabIndex={-1}>
            <ListEmpty
              view={view}
              filters={filters}
              noun={noun}
              empty={{ sentence: EMPTY[section], ...(canReview ? { command: 'content.add' } : { next: null }) }}
            />
          </div>
        ) : (
          <div role="presentation" className="relative" style={{ height: Math.ceil(count / across) * height }}>
            {inSight.map((index) => {
              const one = shown.at(index)
              const place = {
                top: Math.floor(index / across) * height,
                left: `${((index % across) * 100) / across}%`,
                width: `${100 / across}%`,
                height,
              }
              if (!one || isGap(one))
                return (
                  <div key={`gap-${index}`} role="presentation" className="absolute p-1.5" style={place}>
                    <div className="h-full rounded-md bg-sunken" />
                  </div>
                )
              const isSelected = selection.ids.has(one.id)
              return (
                // biome-ignore lint/a11y/useKeyWithClickEvents: the dispatcher handles keys
                <div
                  key={one.id}
                  id={`${list}-${one.id}`}
                  role="option"
                  aria-selected={isSelected}
                  aria-setsize={count}
                  aria-posinset={index + 1}
                  tabIndex={-1}
                  className="absolute p-1.5"
                  style={place}
                  onClick={(event) => {
                    box.current?.focus({ preventScroll: true })
                    if (event.shiftKey) selection.select(index, true)
                    else if (event.metaKey || event.ctrlKey) selection.select(index, false)
                    else moveTo(index)
                  }}
                  onDoubleClick={() => openAt(index)}
                >
                  <Tile item={one.row} line={section === 'comments'} at={index === at} selected={isSelected} />
                </div>
              )
            })}
          </div>
        )}
      </div>
      {preview.isOpen && <Previewed preview={preview} canReview={canReview} />}
    </div>
  )
}

const NONE: ReadonlySet<number> = new Set()
const LABELS = { photos: 'Photos', videos: 'Videos', comments: 'Comments' } as const
const EMPTY = { photos: 'No photos yet.', videos: 'No videos yet.', comments: 'No comments yet.' } as const
const COLUMNS = [
  { id: 'at', header: 'When', sortable: true, figure: true },
  { id: 'person', header: 'Person', sortable: true },
  { id: 'activity', header: 'Activity', sortable: true },
  { id: 'review', header: 'Review', sortable: true },
] as const
function Tile({ item, line, at, selected }: { item: ContentItem; line: boolean; at: boolean; selected: boolean }) {
  const frame = cx(
    'relative flex h-full min-w-0 gap-2 overflow-hidden rounded-md border p-1.5',
    at ? 'border-accent ring-2 ring-accent' : 'border-line',
    selected ? 'bg-accent-wash' : 'bg-surface',
  )
  const shown = (at && item.email) || (item.review_reason ? '' : item.activity)
  // The accessible name adds what the tile has no room to show.
  const unseen = [item.email, item.activity].filter((words) => words && words !== shown).join(', ')
  const caption = (
    <>
      <span className="flex min-w-0 items-center gap-1.5">
        {selected && <SelectionBox state />}
        <span className="shrink-0 font-medium" title={item.email || undefined}>
          {participant(item.person)}
        </span>
        <time dateTime={item.at} title={moment(item.at, 'full')} className="ml-auto truncate text-meta text-muted">
          {momentDay(item.at)}
        </time>
      </span>
      <span className="flex min-w-0 items-center gap-1.5">
        <span className={item.review_reason ? 'min-w-0' : 'shrink-0'}>
          <ReviewPill item={item} />
        </span>
        {shown && (
          <span className="ml-auto min-w-0 truncate text-meta text-muted" title={item.activity}>
            {shown}
          </span>
        )}
        {unseen && <span className="sr-only">{unseen}</span>}
      </span>
    </>
  )
  if (line)
    return (
      <div className={frame}>
        <p dir="auto" className="line-clamp-3 min-w-0 flex-1 whitespace-pre-wrap">
          {item.comment}
        </p>
        <div className="flex w-64 shrink-0 flex-col gap-1 @max-2xl:w-36">{caption}</div>
      </div>
    )
  return (
    <div className={cx(frame, 'flex-col')}>
      <span className="sr-only">{item.action}</span>
      <Thumb item={item} className="min-h-0 flex-1" />
      {caption}
    </div>
  )
}
