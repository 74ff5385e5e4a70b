import { Menu, X } from 'lucide-react'
import { type KeyboardEvent, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { type ApiDocument, readApiDocument } from '../data/apiDocument.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { cx } from '../ui/cx.ts'
import { SearchInput } from '../ui/SearchInput.tsx'
import { ErrorState, Skeleton } from '../ui/States.tsx'
import { CallSection } from './CallSection.tsx'
import { Contents } from './Contents.tsx'
import { CallerTokenContext, useCheckedToken } from './callerToken.ts'
import { type CallGroup, type DescribedCall, groupsOf, MESSAGES } from './describedCalls.ts'
import { ErrorCodes } from './ErrorCodes.tsx'
import { findCalls, type SearchResult, searchableCalls, searchedFor } from './findCalls.ts'
import { GettingStarted } from './GettingStarted.tsx'
import { optionId, SearchResults } from './SearchResults.tsx'
import { TokenField } from './TokenField.tsx'
import { useHash } from './useHash.ts'

/** The page of the API: every call from /openapi.json, with search, curl and a form that sends it. */
export function ApiDocs() {
  const [document, setDocument] = useState<ApiDocument | null>(null)
  const [error, setError] = useState<Error | null>(null)
  const [attempt, setAttempt] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt reads again
  useEffect(() => {
    const stop = new AbortController()
    setError(null)
    readApiDocument(stop.signal).then(setDocument, (reason: Error) => !stop.signal.aborted && setError(reason))
    return () => stop.abort()
  }, [attempt])
  if (document) return <Loaded document={document} />
  return (
    <main className="mx-auto max-w-3xl p-8">
      <h1 className="text-figure">Fieldwork API</h1>
      {error ? (
        <ErrorState title={error.message} action={<Button onClick={() => setAttempt(attempt + 1)}>Try again</Button>} />
      ) : (
        <Skeleton rows={8} className="mt-6" />
      )}
    </main>
  )
}

const LISTBOX = 'found'
/** The address of the page of error codes. */
const CODES = 'codes'

/** What an address shows: the group, and the call in it. */
function placeOf(groups: readonly CallGroup[], hash: string): { group: CallGroup | null; call: DescribedCall | null } {
  const named = groups.find(({ name }) => name === hash)
  if (named) return { group: named, call: null }
  for (const group of groups) {
    const call = group.calls.find(({ id }) => id === hash)
    if (call) return { group, call }
  }
  return { group: null, call: null }
}

function Loaded({ document }: { document: ApiDocument }) {
  const groups = useMemo(() => groupsOf(document), [document])
  const hash = useHash()
  const { group, call } = useMemo(() => placeOf(groups, hash), [groups, hash])
  const [menu, setMenu] = useState(false)
  const [query, setQuery] = useState('')
  const [selected, setSelected] = useState(0)
  // Prepared by the first letter, as most readers follow a link.
  const index = useRef<ReturnType<typeof searchableCalls>>(null)
  const find = (text: string) => {
    index.current ??= searchableCalls(document, groups)
    return { calls: findCalls(index.current, text), searched: searchedFor(index.current, text) }
  }
  const late = useDeferredValue(query)
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the text changes what is found
  const { calls: found, searched } = useMemo(() => (late.trim() ? find(late) : { calls: [], searched: late }), [late])
  const search = useRef<HTMLInputElement>(null)
  const root = useRef<HTMLDivElement>(null)
  const menuButton = useRef<HTMLButtonElement>(null)
  const tokenPath = groups.flatMap(({ calls }) => calls).find(({ id }) => id === 'token.current')?.path ?? ''
  const token = useCheckedToken(tokenPath)
  const showsCodes = hash === CODES
  const unknown = hash !== '' && hash !== 'start' && !showsCodes && !group

  // A new place is shown from its heading, which also gets the focus, so that reading continues there.
  useEffect(() => {
    window.document.title = `${call?.summary ?? (group ? titleOf(group) : showsCodes ? 'Error codes' : 'Getting started')} – ${document.info.title} API`
    const heading = window.document.getElementById(call?.id ?? group?.name ?? (showsCodes ? CODES : 'start'))
    if (!hash) root.current?.focus({ preventScroll: true })
    else heading?.focus({ preventScroll: true })
    if (call) heading?.scrollIntoView()
    else if (hash) scrollTo(0, 0)
  }, [document, group, call, hash, showsCodes])

  // In a window that becomes wide, the contents are beside the page and cover nothing.
  useEffect(() => {
    const wide = matchMedia('(min-width: 64rem)')
    const close = () => setMenu(false)
    wide.addEventListener('change', close)
    return () => wide.removeEventListener('change', close)
  }, [])

  const searching = query.trim() !== ''
  const openMenu = (open: boolean) => {
    setMenu(open)
    if (!open) setQuery('')
  }
  const choose = (chosen: SearchResult) => {
    setQuery('')
    setMenu(false)
    if (hash === chosen.id) window.document.getElementById(chosen.id)?.scrollIntoView()
    location.hash = chosen.id
  }
  const move = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
    if (!step || !found.length) return
    event.preventDefault()
    event.stopPropagation()
    setSelected((selected + step + found.length) % found.length)
  }
  const enter = () => {
    // The list may still be that of the letter before.
    const now = late === query ? found : find(query).calls
    const chosen = now[Math.min(selected, now.length - 1)]
    if (chosen) choose(chosen)
  }

  return (
    <CallerTokenContext value={token}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: hears the key that opens the search */}
      <div
        ref={root}
        tabIndex={-1}
        className="min-h-dvh outline-none"
        onKeyDown={(event) => {
          const typing = (event.target as HTMLElement).matches('input, textarea, select')
          if (event.key !== '/' || typing || event.ctrlKey || event.metaKey || event.altKey) return
          event.preventDefault()
          // Shown at once, as a hidden field takes no focus; where the contents are always open, there is no button.
          if (menuButton.current?.offsetParent) flushSync(() => setMenu(true))
          search.current?.focus()
        }}
      >
        <header className="sticky top-0 z-20 flex h-11 items-center gap-x-4 border-b border-line bg-surface px-4">
          <IconButton
            ref={menuButton}
            label={menu ? 'Close the contents' : 'Open the contents'}
            aria-expanded={menu}
            className="lg:hidden narrow:size-11"
            onClick={() => openMenu(!menu)}
          >
            {menu ? <X size={16} aria-hidden="true" /> : <Menu size={16} aria-hidden="true" />}
          </IconButton>
          <a href="#start" className="text-title">
            {`${document.info.title} API`}
          </a>
          <div className="ml-auto min-w-0 narrow:hidden">
            <TokenField />
          </div>
        </header>
        <div className="mx-auto flex max-w-[100rem]">
          {/* biome-ignore lint/a11y/noStaticElementInteractions: a link in it closes it */}
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click */}
          <div
            onClick={(event) => (event.target as HTMLElement).closest('a') && setMenu(false)}
            className={cx(
              'z-10 w-72 shrink-0 border-r border-line bg-surface',
              'lg:sticky lg:top-11 lg:block lg:h-[calc(100dvh-2.75rem)] lg:overflow-y-auto',
              menu ? 'max-lg:fixed max-lg:top-11 max-lg:bottom-0 max-lg:overflow-y-auto narrow:w-full' : 'max-lg:hidden',
            )}
          >
            <div className="sticky top-0 z-10 bg-surface p-2" onKeyDownCapture={move}>
              <SearchInput
                ref={search}
                value={query}
                onChange={(next) => {
                  setQuery(next)
                  setSelected(0)
                }}
                onClose={() => {
                  openMenu(false)
                  if (menu) menuButton.current?.focus()
                  else root.current?.focus({ preventScroll: true })
                }}
                onEnter={enter}
                label="Search the calls"
                placeholder="Search calls, fields and codes"
                kbd="/"
                {...(searching
                  ? { list: { id: LISTBOX, selected: found.length ? optionId(Math.min(selected, found.length - 1)) : undefined } }
                  : {})}
              />
            </div>
            {searching ? (
              <SearchResults
                id={LISTBOX}
                query={late}
                searched={searched}
                calls={found}
                selected={Math.min(selected, found.length - 1)}
                onChoose={choose}
              />
            ) : (
              <Contents
                groups={groups}
                group={group?.name ?? ''}
                at={call?.id ?? ''}
                page={group ? null : showsCodes ? CODES : 'start'}
              />
            )}
          </div>
          <main inert={menu} className="min-w-0 flex-1 bg-surface px-6 narrow:px-4">
            {unknown && (
              <p role="alert" className="mt-6 rounded-md bg-amber-wash p-3 text-amber-ink">
                {`There is no call or subject named “${hash}”.`}
              </p>
            )}
            {group ? (
              <Group document={document} group={group} />
            ) : showsCodes ? (
              <ErrorCodes document={document} />
            ) : (
              <GettingStarted document={document} groups={groups} tokenPath={tokenPath} />
            )}
          </main>
        </div>
      </div>
    </CallerTokenContext>
  )
}

const titleOf = ({ name }: CallGroup): string => (name === MESSAGES ? 'Webhook messages' : name)

function Group({ document, group }: { document: ApiDocument; group: CallGroup }) {
  return (
    <>
      <h1 id={group.name} tabIndex={-1} className="pt-8 text-figure outline-none">
        {titleOf(group)}
      </h1>
      <p className="mt-1 mb-6 max-w-prose text-muted">{group.description}</p>
      {group.calls.map((call) => (
        <CallSection key={call.id} document={document} call={call} message={group.name === MESSAGES} />
      ))}
    </>
  )
}
