import { Component, type ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'
import { ErrorState } from '../ui/States.tsx'

/** What browsers say of a part of the page that can't be had: a newer release has other files, or nobody answers. */
const NOT_LOADED = /dynamically imported module|Importing a module script failed|Unable to preload/i

/** Keeps an error to the part of the page that has it, and offers to try again. */
export class ErrorBoundary extends Component<{ children: ReactNode; onRetry?: () => void }, { error: Error | null }> {
  override state: { error: Error | null } = { error: null }

  static getDerivedStateFromError(error: Error) {
    return { error }
  }

  override render() {
    const { error } = this.state
    if (!error) return this.props.children
    const retry = () => {
      this.props.onRetry?.()
      this.setState({ error: null })
    }
    if (NOT_LOADED.test(error.message))
      return (
        <ErrorState
          title="This part of the page couldn’t be loaded"
          action={
            <>
              <Button onClick={() => location.reload()}>Reload the page</Button>
              <Button onClick={retry}>Try again</Button>
            </>
          }
        >
          Fieldwork was updated since this page was opened, or the server can’t be reached. The open panes are there again after a
          reload.
        </ErrorState>
      )
    return (
      <ErrorState title="This pane stopped working" detail={error.message} action={<Button onClick={retry}>Try again</Button>}>
        The other panes are not affected, and nothing that was saved is lost.
      </ErrorState>
    )
  }
}
