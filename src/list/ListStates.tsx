import { type ReactNode, useEffect } from 'react'
import type { CommandId } from '../commands/table.ts'
import { AnswerError } from '../data/AnswerError.tsx'
import type { ApiError } from '../data/api.ts'
import { CommandButton } from '../runner/CommandButton.tsx'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/States.tsx'
import { announce } from '../workspace/announce.ts'
import type { FilterChoice } from './ListBar.tsx'
import type { ListView } from './listView.ts'

/** Rows that failed to load: instead of all rows, or `slim` above the loaded ones. */
export function ListTrouble({ noun, error, retry, slim }: { noun: string; error: ApiError; retry(): void; slim?: boolean }) {
  return (
    <AnswerError
      what={`${slim ? 'Some' : 'The'} ${noun}`}
      error={error}
      retry={retry}
      slim={slim}
      className={slim ? 'shrink-0 items-center border-b border-line px-4 py-1.5 text-meta' : ''}
    />
  )
}

/**
 * What an empty list says, with the next step: a command that adds something, or else a link or button in `next`.
 * That is null only where nothing is missing. `filtered` is shown if filters exclude everything.
 * `widen` leads to more rows, if the list excludes some without a filter of the user's.
 */
export type Empty = { sentence: string; filtered?: string } & (
  | { command: CommandId; next?: never; widen?: never }
  | { next: ReactNode; command?: never; widen?: never }
  | { widen: { label: string; show(): void }; command?: never; next?: never }
)

interface Props {
  view: ListView
  filters: readonly FilterChoice[]
  noun: string
  empty: Empty
}

/** Shown if nothing matches, or the list is empty, then with the next step. */
export function ListEmpty({ view, filters, noun, empty }: Props) {
  const narrowed =
    view.search !== '' ||
    filters.some((filter) => (view.filters[filter.name] ?? filter.options[0]?.value) !== filter.options[0]?.value)
  const { widen } = empty
  const sentence = ((view.search === '' || widen) && empty.filtered) || `No ${noun} match this search and these filters.`
  useEffect(() => {
    if (narrowed) announce(() => sentence)
  }, [narrowed, sentence])
  if (narrowed || widen)
    return (
      <EmptyState
        action={
          <Button data-view="" onClick={widen?.show ?? view.reset}>
            {widen?.label ?? `Show all ${noun}`}
          </Button>
        }
      >
        {sentence}
      </EmptyState>
    )
  return (
    <EmptyState action={empty.command ? <CommandButton id={empty.command} variant="primary" /> : empty.next}>
      {empty.sentence}
    </EmptyState>
  )
}
