import type { ListDesk } from '../desk.ts'

/**
 * A list while the rows of another search are on their way: nothing is under its cursor, and what keys do to rows is put into `kept`, to be done
 * to those that come. What shows until then is not what was asked for.
 */
export function held(list: ListDesk, kept: ((list: ListDesk) => void)[]): ListDesk {
  const later = (act: (list: ListDesk) => void) => void kept.push(act)
  return {
    ...list,
    cursor: null,
    move: (by) => later((then) => then.move(by)),
    screen: (by) => later((then) => then.screen(by)),
    end: (which) => later((then) => then.end(which)),
    page: (by) => later((then) => then.page(by)),
    open: (where) => later((then) => then.open(where)),
    mark: () => later((then) => then.mark()),
    markRange: (by) => later((then) => then.markRange(by)),
    edit: () => later((then) => then.edit()),
    expand: (open) => later((then) => then.expand(open)),
  }
}
