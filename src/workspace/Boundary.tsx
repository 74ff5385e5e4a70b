import { Component, type ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'
import { ErrorState } from '../ui/States.tsx'

/** Keeps an error to the part of the page that has it, and offers to try again. */
export class Boundary extends Component<{ children: ReactNode; onRetry?: () => void }, { error: Error | null }> {
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
    return (
      <ErrorState title="This pane stopped working" detail={error.message} action={<Button onClick={retry}>Try again</Button>}>
        The other panes are not affected, and nothing that was saved is lost.
      </ErrorState>
    )
  }
}
