import { describe, expect, it } from 'vitest';
import { childEnvironment } from './child-environment.ts';

describe('childEnvironment', () => {
  it('inherits only what every program needs, and lets the project add to it', () => {
    const host = {
      PATH: '/usr/bin',
      HOME: '/home/bot',
      LANG: 'zh_CN.UTF-8',
      LC_ALL: 'C',
      TZ: 'Asia/Shanghai',
      https_proxy: 'http://proxy:3128',
      NODE_OPTIONS: '--require ./evil.js',
      OPENAI_API_KEY: 'secret',
      AWS_SECRET_ACCESS_KEY: 'secret',
    };
    const { NODE_COMPILE_CACHE: _cache, ...environment } = childEnvironment(host, { TZ: 'UTC', WEATHER_KEY: 'told' });
    expect(environment).toEqual({
      BAIGONG_CALL: '1',
      PATH: '/usr/bin',
      HOME: '/home/bot',
      LANG: 'zh_CN.UTF-8',
      LC_ALL: 'C',
      TZ: 'UTC',
      https_proxy: 'http://proxy:3128',
      WEATHER_KEY: 'told',
    });
  });
});
