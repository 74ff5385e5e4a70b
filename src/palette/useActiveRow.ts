import { type KeyboardEvent, useRef, useState } from 'react'

/**
 * The selected row. cmdk moves its selection if that row leaves the page; only the user's moves count here.
 * To reset cmdk, its value gets one more space, which it trims but sees as a change.
 */
export function useActiveRow() {
  const [selected, setSelected] = useState('')
  const [resets, setResets] = useState(0)
  const byPerson = useRef(false)
  const person = () => {
    byPerson.current = true
    // cmdk responds within the same event.
    queueMicrotask(() => {
      byPerson.current = false
    })
  }
  return {
    selected,
    select: setSelected,
    /** The value for cmdk's list: the row to select. */
    shell: (current: string) => ({
      value: current + ' '.repeat(resets % 2),
      onValueChange: (value: string) => {
        if (byPerson.current) setSelected(value)
        else if (value !== current) setResets((old) => old + 1)
      },
      onPointerMoveCapture: person,
      onClickCapture: person,
    }),
    /** Called first for every key. */
    onKey: (event: KeyboardEvent) => {
      if (/^(Arrow|Home|End)/.test(event.key)) person()
    },
  }
}
