import { useEffect } from 'react'
import type { ApiError } from '../../data/api.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorState } from '../../ui/States.tsx'
import { usePane } from '../../workspace/pane.tsx'
import { desk } from '../../workspace/theDesk.ts'

/** A record that did not load: one that is not there leads to its list (projects-area 4); anything else stays and offers a retry (decisions.md 7). */
export function RecordTrouble({
  error,
  retry,
  what,
  home,
  homeTitle,
}: {
  error: ApiError
  retry: () => void
  what: string
  home: string
  homeTitle: string
}) {
  const { go } = usePane()
  const gone = error.status === 404 || error.status === 403
  useEffect(() => {
    if (!gone) return
    desk.notice(`${what} is not there, or not for you. Here are ${homeTitle}.`, 'bad')
    go(home, 'here')
  }, [gone, what, homeTitle, home, go])
  if (gone) return null
  return (
    <ErrorState
      title={`${what} could not be loaded`}
      action={<Button onClick={retry}>Try again</Button>}
      {...(error.requestId ? { detail: error.requestId } : {})}
    >
      {error.message}
    </ErrorState>
  )
}
