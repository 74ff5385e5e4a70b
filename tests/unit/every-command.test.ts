import { describe, expect, it } from 'vitest'
import { commandIds, commandOf } from '../support/commands.ts'

describe('every command', () => {
  it('has a title that begins with a capital', () =>
    expect(commandIds().filter((id) => !/^[A-Z“]|^v3/.test(commandOf(id).title))).toEqual([]))
  it('ends in dots if it asks something not prefilled', () => {
    const plain = commandIds().filter((id) => {
      const asks = Object.values(commandOf(id).asks ?? {})
      return asks.some((ask) => !ask.optional && !ask.when) && !commandOf(id).title.endsWith('…')
    })
    expect(plain).toEqual([])
  })
  it('that reaches people outside waits, or says it can’t be undone', () => {
    const mails = ['project.goLive', 'project.sendQuote', 'user.invite', 'user.resendActivation', 'user.resetPassword'] as const
    expect(mails.filter((id) => !commandOf(id).delay)).toEqual([])
  })
})
