import { ArrowDown, ArrowUp, Pin, PinOff } from 'lucide-react'
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { Button, IconButton } from '../ui/Button.tsx'
import { Checkbox } from '../ui/Checkbox.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { altered, type ChosenColumn, fitting, nameColumn, STEP, stepped, WIDTH } from './columnChoice.ts'
import type { ListColumns } from './useColumns.ts'

interface Props {
  open: boolean
  onClose(): void
  /** All columns of the list. */
  columns: readonly { id: string; header: string; narrow?: 'lead' | 'aside' | 'meta' | 'hidden' }[]
  arranged: Pick<ListColumns<never>, 'chosen' | 'changed' | 'change' | 'reset'>
  /** Ids of the columns drawn now, and their widths. */
  drawn: readonly string[]
  /** True while the list has two-line rows. */
  narrow: boolean
  widthOf(id: string): number
}

/** A width in px. Typed widths apply on blur and Enter, because their first digits would be too narrow. */
function WidthInput({ label, width, onWidth }: { label: string; width: number; onWidth(width: number | undefined): void }) {
  const [typed, setTyped] = useState<string | null>(null)
  const take = (text: string | null) => {
    setTyped(null)
    if (text === null || text === String(width || '')) return
    onWidth(text ? fitting(Number(text)) : undefined)
  }
  return (
    <input
      type="number"
      aria-label={label}
      placeholder="Auto"
      min={WIDTH.least}
      max={WIDTH.most}
      step={STEP}
      // A width between two steps is as good as any.
      aria-invalid={false}
      value={typed ?? (width || '')}
      onChange={({ target, nativeEvent }) => {
        // The stepper and its keys have no input type; in Firefox, a replacement.
        const { inputType = '' } = nativeEvent as InputEvent
        if (!inputType || inputType === 'insertReplacementText') take(target.value)
        else setTyped(target.value)
      }}
      onBlur={() => take(typed)}
      onKeyDown={({ key }) => key === 'Enter' && take(typed)}
      className="h-7 w-18 rounded-md border border-control bg-surface px-1.5 text-right text-meta tabular-nums"
    />
  )
}

/** Chooses which columns a list shows, their order and widths; each change shows at once. */
export function ColumnsDialog({
  open,
  onClose,
  columns,
  arranged: { chosen, changed, change, reset },
  drawn,
  narrow,
  widthOf,
}: Props) {
  const name = nameColumn(columns)
  const headerOf = (id: string) => columns.find((column) => column.id === id)?.header ?? id
  const rest = columns.filter(({ id }) => !chosen.some((one) => one.id === id))
  const lists = useRef<HTMLDivElement>(null)
  const crossed = useRef<string | null>(null)
  /** Shows or hides a column; its row moves to the other list, and the focus follows. */
  const cross = (id: string, next: readonly ChosenColumn[]) => {
    crossed.current = id
    change(next)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: the box is there once the choice is drawn
  useLayoutEffect(() => {
    if (crossed.current !== null)
      lists.current?.querySelector<HTMLElement>(`li[data-column="${CSS.escape(crossed.current)}"] input[type=checkbox]`)?.focus()
    crossed.current = null
  }, [chosen])
  /** Alt with an arrow key moves the row like its buttons do; the focus follows. */
  const move = (id: string, by: -1 | 1) => change(stepped(chosen, id, by))
  /** Drawn columns stay, so that a column brought back doesn't push out another. */
  const bringBack = (id: string) =>
    change(
      chosen.map((one) =>
        one.id === id || drawn.includes(one.id) ? { ...one, always: narrow ? 'narrow' : (one.always ?? 'table') } : one,
      ),
    )
  const keys = (event: KeyboardEvent, id: string) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0
    if (!by) return
    if (event.altKey) {
      event.preventDefault()
      move(id, by)
    } else if (event.target instanceof HTMLInputElement && event.target.type === 'checkbox') {
      event.preventDefault()
      const boxes = [...event.currentTarget.parentElement!.parentElement!.querySelectorAll<HTMLElement>('input[type=checkbox]')]
      boxes[boxes.indexOf(event.target) + by]?.focus()
    }
  }
  return (
    <Dialog
      open={open}
      onClose={onClose}
      size="sm"
      initialFocus="li input[type=checkbox]:not(:disabled)"
      title="Columns"
      description="Space shows or hides a column, Alt with ↑ or ↓ moves it. Pinned ones stay in sight while the list scrolls sideways. Changes show at once and are remembered."
      footer={
        <>
          <Button data-command="list.columnsReset" reason={changed ? null : 'they are at their defaults'} onClick={reset}>
            Reset columns
          </Button>
          <Button variant="primary" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <div ref={lists}>
        <ul aria-label="Columns, in order" className="flex flex-col">
          {chosen.map((one, at) => {
            const left = drawn.length > 0 && !drawn.includes(one.id)
            const header = headerOf(one.id)
            return (
              <li
                key={one.id}
                data-column={one.id}
                onKeyDown={(event) => keys(event, one.id)}
                className="flex min-h-9 items-center gap-2"
              >
                <Checkbox
                  className="flex-1"
                  checked
                  disabled={one.id === name?.id}
                  hint={one.id === name?.id ? 'Always shown' : left ? 'No room for it now' : undefined}
                  onChange={() =>
                    cross(
                      one.id,
                      chosen.filter(({ id }) => id !== one.id),
                    )
                  }
                >
                  {header}
                </Checkbox>
                {left && (
                  <Button data-view="" onClick={() => bringBack(one.id)}>
                    Show anyway
                  </Button>
                )}
                <WidthInput
                  label={`Width of ${header} in pixels`}
                  width={one.width ?? widthOf(one.id)}
                  onWidth={(width) => change(altered(chosen, one.id, { width }))}
                />
                <IconButton
                  label={one.pinned ? `Unpin ${header}` : `Pin ${header}`}
                  reason={one.id === name?.id ? 'names always stay in sight' : null}
                  onClick={() => change(altered(chosen, one.id, { pinned: !one.pinned }))}
                >
                  {one.pinned ? <PinOff size={14} aria-hidden="true" /> : <Pin size={14} aria-hidden="true" />}
                </IconButton>
                <IconButton
                  label={`Move ${header} up`}
                  reason={at === 0 ? 'it is the first' : null}
                  onClick={() => move(one.id, -1)}
                >
                  <ArrowUp size={14} aria-hidden="true" />
                </IconButton>
                <IconButton
                  label={`Move ${header} down`}
                  reason={at === chosen.length - 1 ? 'it is the last' : null}
                  onClick={() => move(one.id, 1)}
                >
                  <ArrowDown size={14} aria-hidden="true" />
                </IconButton>
              </li>
            )
          })}
        </ul>
        {rest.length > 0 && (
          <ul aria-label="Hidden columns" className="mt-1 flex flex-col border-t border-line pt-1">
            {rest.map(({ id, header }) => (
              <li key={id} data-column={id} onKeyDown={(event) => keys(event, id)} className="flex min-h-9 items-center">
                <Checkbox checked={false} onChange={() => cross(id, [...chosen, { id }])}>
                  {header}
                </Checkbox>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  )
}
