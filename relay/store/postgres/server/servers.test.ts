import { describe, expect, it } from 'vitest';
import { serversOf } from './servers.ts';

describe('the servers of an address', () => {
  const all = (address: string): string[] => {
    const servers = serversOf(address);
    return Array.from({ length: servers.count }, () => {
      const current = servers.current();
      servers.pass(current);
      return current;
    });
  };

  it.each([
    ['postgres://u:p%40@a:1/db?sslmode=require', ['postgres://u:p%40@a:1/db?sslmode=require']],
    ['postgres://u:p@a:1,b/db', ['postgres://u:p@a:1/db', 'postgres://u:p@b/db']],
    [
      'postgresql://[::1]:1,[::2]:2/db?target_session_attrs=read-write&sslmode=verify-full',
      ['postgresql://[::1]:1/db?sslmode=verify-full', 'postgresql://[::2]:2/db?sslmode=verify-full'],
    ],
    [
      'postgres://a,b/db?sslmode=require&target_session_attrs=primary',
      ['postgres://a/db?sslmode=require', 'postgres://b/db?sslmode=require'],
    ],
    ['postgres://a/db?target_session_attrs=read-write', ['postgres://a/db']],
    [
      'postgres://a,b/db?prepare=false&sslmode=require',
      ['postgres://a/db?sslmode=require', 'postgres://b/db?sslmode=require'],
    ],
    ['postgres://a/db?target_session_attrs=primary&prepare=true', ['postgres://a/db']],
  ])('in %s are its hosts, each by itself', (address, addresses) => {
    expect(all(address)).toEqual(addresses);
  });

  it('are passed once, however many calls failed at one of them', () => {
    const servers = serversOf('postgres://a,b,c/db');
    const failed = servers.current();
    servers.pass(failed);
    servers.pass(failed);
    expect(servers.current()).toBe('postgres://b/db');
  });

  it('must take writes', () => {
    expect(() => serversOf('postgres://a,b/db?target_session_attrs=any')).toThrow(
      expect.objectContaining({ name: 'StoreError' }),
    );
  });

  it('keep prepared statements unless the address denies it', () => {
    expect(serversOf('postgres://a/db').keepsStatements).toBe(true);
    expect(serversOf('postgres://a/db?prepare=false').keepsStatements).toBe(false);
    expect(() => serversOf('postgres://a/db?prepare=no')).toThrow(expect.objectContaining({ name: 'StoreError' }));
  });
});
