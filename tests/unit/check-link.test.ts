import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkLink, isPublic } from '../../server/domain/survey/checkLink.ts'
import { checkRowsInTurn } from './rows.ts'

let server: Server
let base = ''
beforeAll(async () => {
  server = createServer((request, answer) => {
    const to = new URL(request.url ?? '/', base)
    if (to.pathname === '/moved') answer.writeHead(302, { location: '/there' })
    else if (to.pathname === '/round') answer.writeHead(302, { location: '/round' })
    else if (to.pathname === '/away') answer.writeHead(302, { location: 'http://[::1]:1/' })
    else answer.writeHead(to.pathname === '/there' ? 200 : 404)
    answer.end()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => new Promise((done) => server.close(done)))
const here = (address: string) => address === '127.0.0.1'

test('a link reports its response', async () => {
  await checkRowsInTurn(
    [
      ['/there', { status: 200, trouble: '' }],
      ['/moved', { status: 200, trouble: '' }],
      ['/nowhere', { status: 404, trouble: '' }],
      ['/round', { status: null, trouble: 'it redirects too often' }],
      ['/away', { status: null, trouble: 'it leads into a private network' }],
    ],
    async ([path, outcome]) => {
      expect(await checkLink(`${base}${path}`, here)).toEqual(outcome)
    },
  )
})

test('internal addresses, and names that lead to them, are never requested', async () => {
  let asked = 0
  server.on('request', () => asked++)
  for (const link of [
    base,
    base.replace('127.0.0.1', 'localhost'),
    base.replace('127.0.0.1', '[::ffff:127.0.0.1]'),
    'http://2130706433/',
  ])
    expect(await checkLink(link), link).toEqual({ status: null, trouble: 'it leads into a private network' })
  expect(asked).toBe(0)
  const inside = [
    '10.1.2.3',
    '172.31.0.1',
    '192.168.1.1',
    '169.254.169.254',
    '0.0.0.0',
    '::1',
    '::',
    'fe80::1',
    'fd00::1',
    '2002:7f00:1::',
  ]
  expect(inside.filter(isPublic)).toEqual([])
  expect(['8.8.8.8', '172.32.0.1', '2606:4700::1111'].filter(isPublic)).toHaveLength(3)
})

test('a host that refuses the connection is reported', async () => {
  expect(await checkLink('http://127.0.0.1:1/', here)).toEqual({ status: null, trouble: 'its host refuses the connection' })
})
