import { type ReactNode, type RefObject, useCallback, useMemo, useState } from 'react'
import { browserStore } from '../../data/browserStore.ts'
import type { ListOfMap, ListScreenProps } from '../../list/ListScreen.tsx'
import { href } from '../../routing/routes.ts'
import { CommandButton } from '../../runner/CommandButton.tsx'
import { Button } from '../../ui/Button.tsx'
import { useWidth } from '../../ui/useWidth.ts'
import { usePane } from '../../workspace/pane.tsx'
import { ListMap, type PointsOf } from '../shared/PlaceMap.tsx'

const KEPT = 'fieldwork.placeMap'
interface MapState {
  shown: boolean
  below: boolean
}
const kept = (): MapState => ({ shown: false, below: false, ...(browserStore.get(KEPT) as Partial<MapState> | null) })
/** The list width, in px, from which the map fits beside it. */
const WIDE = 900

/** A list's map beside or below it; this browser remembers whether it is open. */
export function useListMap(frame: RefObject<HTMLElement | null>, where: PointsOf): ListScreenProps<never>['map'] {
  const { go } = usePane()
  const width = useWidth(frame)
  const [{ shown, below }, setState] = useState(kept)
  const change = useCallback(
    (next: Partial<MapState>) =>
      setState((before) => {
        const after = { ...before, ...next }
        browserStore.set(KEPT, after)
        return after
      }),
    [],
  )
  const toggle = useCallback(() => change({ shown: !kept().shown }), [change])
  const under = below || width < WIDE
  const draw = (list: ListOfMap): ReactNode =>
    shown && (
      <section
        aria-label="Map"
        className={
          under
            ? 'flex h-[45%] min-h-56 shrink-0 flex-col border-t border-line'
            : 'flex w-[44%] shrink-0 flex-col border-l border-line'
        }
      >
        <div className="flex h-8 shrink-0 items-center gap-1 px-2 text-meta text-muted">
          <span className="truncate @max-3xl:hidden">Shift and drag to select</span>
          <span className="ml-auto flex gap-1">
            {width >= WIDE && (
              <Button variant="ghost" data-view="" onClick={() => change({ below: !below })}>
                {below ? 'Put beside' : 'Put below'}
              </Button>
            )}
            <CommandButton id="location.showMap" variant="ghost" plain>
              Hide map
            </CommandButton>
          </span>
        </div>
        <ListMap
          label="Locations on a map"
          where={where}
          list={list}
          onOpen={(id) => go(href('locations', {}, { query: { location: id } }), 'beside')}
          height="100%"
          empty="No location here has a position"
          className="flex-1"
        />
      </section>
    )
  const latest = useMemo(() => ({ toggle }), [toggle])
  return { below: under, draw, toggle: latest.toggle }
}
