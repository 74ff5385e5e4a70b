import type { Key } from 'react'
import * as runtime from 'react/jsx-runtime'
import { withTextApart } from './elements.ts'

// What JSX compiles to (`jsxImportSource`), as React's own but for texts.

export type { JSX } from 'react'
export { Fragment } from 'react/jsx-runtime'

type Make = (type: never, props: object, key?: Key) => unknown
/** Texts that became one are no list of children any more. */
export const jsxs: Make = (type, own, key) => {
  const props = withTextApart(type, own)
  return Array.isArray(props.children) ? runtime.jsxs(type, props, key) : runtime.jsx(type, props, key)
}

/** For children that are computed, whose keys React checks. */
export const jsx: Make = (type, props, key) => runtime.jsx(type, withTextApart(type, props), key)
