import { describe, expect, test } from 'vitest'
import { calls } from '../../contract/calls.ts'
import { readOfNoun, webhookNouns, webhookType } from '../../contract/webhookNouns.ts'
import { readSettings } from '../../server/core/settings.ts'
import { isPublic, reachOf, urlFault } from '../../server/domain/webhook/receiverAddress.ts'
import { signatureOf } from '../../server/domain/webhook/signature.ts'
import { checkRows } from './rows.ts'

const reach = (WEBHOOK_INSIDE = '') => reachOf(readSettings({ WEBHOOK_INSIDE }))

describe('addresses of webhooks', () => {
  test('inside the network aren’t public', () => {
    checkRows(
      [
        ...[
          '0.0.0.0',
          '10.0.0.1',
          '100.64.0.1',
          '127.0.0.1',
          '127.9.9.9',
          '169.254.169.254',
          '172.16.0.1',
          '172.31.255.255',
          '192.168.1.1',
        ],
        ...['192.0.0.8', '192.0.2.1', '198.18.0.1', '198.51.100.1', '203.0.113.7', '224.0.0.1', '255.255.255.255'],
        ...[
          '::',
          '::1',
          'fe80::1',
          'fe80::1%eth0',
          'fc00::1',
          'fd12:3456::1',
          'ff02::1',
          '2001:db8::1',
          '::ffff:10.0.0.1',
          '::ffff:8.8.8.8',
        ],
        // IPv4 inside of IPv6: 6to4, NAT64, Teredo, compatible.
        ...[
          '2002:0a00:0001::1',
          '2002:0808:0808::1',
          '64:ff9b::10.0.0.1',
          '64:ff9b::a9fe:a9fe',
          '64:ff9b:1::10.0.0.1',
          '2001:0:1234::1',
          '::10.0.0.1',
        ],
        'nonsense',
      ],
      (address) => expect(isPublic(address)).toBe(false),
    )
  })

  test('outside are public', () => {
    checkRows(
      ['8.8.8.8', '172.32.0.1', '192.167.255.255', '2606:4700::1111', '2a00:1450:4001::1', '64:ff9b::8.8.8.8'],
      (address) => expect(isPublic(address)).toBe(true),
    )
  })

  test('internal addresses can be reached only if the operator names them, by http too', () => {
    const inside = reach('10.1.2.0/24, ::1, 127.0.0.1')
    for (const address of ['10.1.2.9', '::1', '127.0.0.1', '::ffff:10.1.2.9']) expect(inside.refused(address, false)).toBeNull()
    for (const address of ['10.1.3.9', '127.0.0.2', '::ffff:10.1.3.9', '169.254.169.254'])
      expect(inside.refused(address, true)).toMatch(/inside/)
    expect(inside.refused('8.8.8.8', false)).toMatch(/https/)
    expect(urlFault('http://10.1.2.9:8080/x', inside)).toBeNull()
    expect(urlFault('http://10.1.2.9/x', reach())).toMatch(/https/)
    expect(() => readSettings({ WEBHOOK_INSIDE: '10.0.0.0/33' })).toThrow(/WEBHOOK_INSIDE/)
    expect(() => readSettings({ WEBHOOK_INSIDE: 'intranet' })).toThrow(/WEBHOOK_INSIDE/)
  })
})

test('every noun that a webhook can follow has a read by id', () => {
  expect(webhookNouns.length).toBeGreaterThan(15)
  expect(webhookNouns).not.toContain('delivery')
  for (const noun of webhookNouns) {
    const read = calls[readOfNoun(noun) as 'project.get']
    expect(Object.keys(read?.input.shape ?? {}), noun).toContain('id')
    expect(read.method, noun).toBe('GET')
  }
  const typeOf = (noun: string, kind: string, more: object = {}) => webhookType({ noun, kind, ...more })
  expect([typeOf('project', 'put'), typeOf('note', 'drop'), typeOf('project', 'counters')]).toEqual([
    'project.updated',
    'note.removed',
    'project.counted',
  ])
  expect(typeOf('project', 'put', { isNew: true, before: { status: 'active' } })).toBe('project.created')
  expect(typeOf('project', 'put', { before: { status: 'active', name: 'A' } })).toBe('project.status_changed')
  expect(typeOf('note', 'put', { before: { status: 'active' } })).toBe('note.updated')
})

test('the signature is that of Standard Webhooks', () => {
  // The specification's example, whose secret its libraries' tests have.
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
  expect(signatureOf([secret], 'msg_p5jXN8AQM9LWM0D4loKWxJek', 1_614_265_330, '{"test": 2432232314}')).toBe(
    'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  )
})
