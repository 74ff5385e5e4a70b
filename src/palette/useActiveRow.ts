import { type KeyboardEvent, useRef, useState } from 'react'

/**
 * Which row is selected. cmdk also moves its selection by itself, when the selected row leaves the page; only what a person does counts here, and
 * cmdk is told again what is selected: it trims its value, so a blank more or less is a new word for the same row.
 */
export function useActiveRow() {
  const [selected, setSelected] = useState('')
  const [told, setTold] = useState(0)
  const byPerson = useRef(false)
  const person = () => {
    byPerson.current = true
    // cmdk answers within the same event.
    queueMicrotask(() => {
      byPerson.current = false
    })
  }
  return {
    selected,
    select: setSelected,
    /** The value for cmdk's list: the row to be selected. */
    shell: (current: string) => ({
      value: current + ' '.repeat(told % 2),
      onValueChange: (value: string) => {
        if (byPerson.current) setSelected(value)
        else if (value !== current) setTold((old) => old + 1)
      },
      onPointerMoveCapture: person,
      onClickCapture: person,
    }),
    /** Called first with every key. */
    hear: (event: KeyboardEvent) => {
      if (/^(Arrow|Home|End)/.test(event.key)) person()
    },
  }
}
