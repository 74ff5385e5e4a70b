import { useAtomValue, useSetAtom } from 'jotai'
import { type KeyboardEvent, useEffect } from 'react'
import { counted } from '../../contract/format.ts'
import { pathOfView } from '../commands/views/view.ts'
import { favouritesAtom } from '../data/favouriteAtoms.ts'
import { useCall } from '../data/useCall.ts'
import { CommandButton } from '../runner/CommandButton.tsx'
import { start } from '../runner/lazyRunner.ts'
import { pathOfEntity } from '../search/entities.ts'
import { workspace } from '../workspace/currentWorkspace.ts'
import { whenDrawn } from '../workspace/focusLater.ts'
import { PaneLink } from '../workspace/PaneLink.tsx'

type Favourite = NonNullable<ReturnType<typeof useFavourites>>['data'][number]
function useFavourites() {
  const { data } = useCall('account.favourites', {})
  const set = useSetAtom(favouritesAtom)
  useEffect(() => {
    if (data) set(data)
  }, [data, set])
  return useAtomValue(favouritesAtom)
}

function pathOf({ kind, id, name, detail, screen, query }: Favourite): string | null {
  if (kind !== 'view') return pathOfEntity(kind, id, detail)
  return pathOfView({ kind: 'view', id, name, record: { screen, query } }, workspace)
}

/** The records and views that the person has pinned, in their own order. */
export function Favourites({ onOpen }: { onOpen(): void }) {
  const favourites = useFavourites()
  if (!favourites) return null
  const { data, missing } = favourites
  const move = (event: KeyboardEvent<HTMLAnchorElement>, at: number) => {
    const step = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    const favourite = data[at]
    if (!event.altKey || !step || !favourite || !data[at + step]) return
    event.preventDefault()
    event.stopPropagation()
    const link = event.currentTarget
    start('view.moveFavourite', { answers: { favourite: favourite.favourite, place: String(at + step + 1) }, via: 'key' })
    whenDrawn(() => link.focus())
  }
  return (
    <section className="pb-2" aria-labelledby="favourites">
      <h2 id="favourites" className="flex h-7 items-center px-2 text-meta font-medium text-faint">
        Favourites
      </h2>
      <ul>
        {data.map((favourite, at) => {
          const path = pathOf(favourite)
          return (
            <li key={favourite.favourite}>
              {path ? (
                <PaneLink
                  to={path}
                  title={`${favourite.name} · ${favourite.detail}`}
                  aria-keyshortcuts="Alt+ArrowUp Alt+ArrowDown"
                  onKeyDown={(event) => move(event, at)}
                  onClick={onOpen}
                  className="flex h-6.5 items-center rounded-md px-2 text-muted hover:bg-hover hover:text-ink narrow:h-11"
                >
                  <bdi className="truncate">{favourite.name}</bdi>
                </PaneLink>
              ) : (
                <span className="flex h-6.5 items-center px-2 text-faint narrow:h-11" title="A view of a record’s own list">
                  <bdi className="truncate">{favourite.name}</bdi>
                </span>
              )}
            </li>
          )
        })}
      </ul>
      {missing.length > 0 && (
        <div className="px-2 py-1 text-meta text-faint">
          <p>{counted(missing.length, 'favourite')} no longer available.</p>
          <CommandButton id="view.dropMissing" subjects={[]}>
            Remove
          </CommandButton>
        </div>
      )}
    </section>
  )
}
