import { describe, expect, it } from 'vitest';
import { deviceFields, nameDevice } from './device.ts';

const chromeOnWindows =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36';
const safariOnIphone =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1';
const facts = {
  user_agent: chromeOnWindows,
  accept: '*/*',
  accept_language: 'pt-BR,en;q=0.5',
  shopper_ip: '203.0.113.9',
};
const never = (): string => {
  throw new Error('no new device id is needed');
};

describe('naming a device', () => {
  it('reads the User-Agent', () => {
    expect(nameDevice(safariOnIphone, undefined)).toEqual({
      os: 'iOS 17.5',
      browser: 'Mobile Safari 17.5',
      device_type: 'mobile',
    });
    expect(nameDevice(chromeOnWindows, undefined)).toEqual({
      os: 'Windows 10',
      browser: 'Chrome 131.0.0.0',
      device_type: 'desktop',
    });
  });

  it('believes client hints where the User-Agent is frozen', () => {
    const hints = {
      platform: 'Windows',
      platformVersion: '15.0.0',
      mobile: false,
      fullVersionList: [
        { brand: 'Chromium', version: '131.0.6778.86' },
        { brand: 'Not_A Brand', version: '24.0.0.0' },
        { brand: 'Microsoft Edge', version: '131.0.2903.70' },
      ],
    };
    expect(nameDevice(chromeOnWindows, hints)).toEqual({
      os: 'Windows 11',
      browser: 'Microsoft Edge 131.0.2903.70',
      device_type: 'desktop',
    });
  });

  it.each([
    ['', { os: 'unknown', browser: 'unknown', device_type: 'desktop' }],
    ['Teapot/1.0', { os: 'unknown', browser: 'unknown', device_type: 'desktop' }],
    ['Teapot/1.0 (Android 16)', { os: 'Android 16', browser: 'unknown', device_type: 'desktop' }],
  ])('names what it can of an unknown browser: %j', (userAgent, named) => {
    expect(nameDevice(userAgent, undefined)).toEqual(named);
  });
});

describe('the device fields', () => {
  it('take what the form sent and fill the rest', () => {
    const fields = deviceFields({ time_zone: 'America/Sao_Paulo', color_depth: '24' }, facts, () => 'dv_new');
    expect(fields).toEqual({
      browser_lang: 'pt-BR',
      os: 'Windows 10',
      browser: 'Chrome 131.0.0.0',
      device_type: 'desktop',
      time_zone: 'America/Sao_Paulo',
      color_depth: '24',
      cookie_old: '',
      cookie_new: 'dv_new',
    });
  });

  it('never replace what the form named itself', () => {
    const fields = deviceFields({ os: 'Plan 9', browser: 'Mothra', cookie_old: 'o', cookie_new: 'n' }, facts, never);
    expect(fields).toMatchObject({ os: 'Plan 9', browser: 'Mothra', cookie_old: 'o', cookie_new: 'n' });
  });

  it('know a device again by its cookie', () => {
    const fields = deviceFields({}, { ...facts, device_cookie: 'dv_known' }, never);
    expect(fields).toMatchObject({ cookie_old: 'dv_known', cookie_new: 'dv_known' });
  });
});
