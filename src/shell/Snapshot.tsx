import { atom, useAtomValue } from 'jotai'
import { useEffect, useMemo } from 'react'
import { AnswerError } from '../data/AnswerError.tsx'
import { useCall } from '../data/useCall.ts'
import { panesOf } from '../routing/layout.ts'
import { Button } from '../ui/Button.tsx'
import { ErrorState, Skeleton } from '../ui/States.tsx'
import { readLayout } from '../workspace/layoutStorage.ts'
import { openLink, replaceLayout } from '../workspace/navigation.ts'
import { layoutAtom } from '../workspace/workspaceState.ts'

/** A shared workspace; it replaces the open panes once loaded. */
export function Snapshot({ id }: { id: string }) {
  const { data, error, retry } = useCall('snapshot.get', { id })
  const layout = useMemo(() => (data ? parse(data.data.layout) : null), [data])
  // Next to other panes it doesn't replace anything by itself.
  const alone = useAtomValue(aloneAtom)
  useEffect(() => {
    if (layout && alone) replaceLayout(layout)
  }, [layout, alone])
  if (error)
    return (
      <AnswerError
        title={error.status === 404 ? 'This shared workspace doesn’t exist' : error.message}
        error={error}
        retry={retry}
      >
        {error.status === 404 ? 'The link may be cut short.' : null}
      </AnswerError>
    )
  if (data && !layout)
    return <ErrorState title="This shared workspace can't be read">It was made by another version of Fieldwork.</ErrorState>
  if (layout && !alone)
    return (
      <div className="flex flex-col items-start gap-3 p-4">
        <h1 className="text-head">A shared workspace</h1>
        <p className="text-muted">It holds {panesOf(layout).length} screens. You can restore what is open now afterwards.</p>
        <Button data-view="" onClick={() => openLink(`/w/${id}`)}>
          Replace these panes with it
        </Button>
      </div>
    )
  return <Skeleton rows={8} />
}

const aloneAtom = atom((get) => panesOf(get(layoutAtom)).length === 1)

function parse(text: string) {
  try {
    return readLayout(JSON.parse(text))
  } catch {
    return null
  }
}
