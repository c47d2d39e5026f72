//! The sound as FLAC (RFC 9639), without loss: what the last samples foretell is left out.
use super::bits::Bits;

/// Samples of a block.
pub const BLOCK: usize = 4096;

/// The description of a stream that begins it (section 8.2).
pub fn stream_info(rate: u32, channels: usize, samples: u64) -> Vec<u8> {
    let mut bits = Bits::default();
    for _ in 0..2 {
        bits.put(BLOCK as u32, 16);
    }
    // Lengths of frames, and at the end the check sum of all: not known.
    bits.put(0, 24);
    bits.put(0, 24);
    bits.put(rate, 20);
    bits.put(channels as u32 - 1, 3);
    bits.put(16 - 1, 5);
    bits.put((samples >> 32) as u32, 4);
    bits.put(samples as u32, 32);
    for _ in 0..16 {
        bits.byte(0);
    }
    bits.finish()
}

/// A block of samples, one row for each of one or two channels (section 9). Its number counts from 0.
pub fn frame(channels: &[Vec<i16>], number: u32) -> Vec<u8> {
    let length = channels.first().map_or(0, Vec::len);
    let mut bits = Bits::default();
    // Blocks of a fixed size; this one's length is at the end of the header; 44,100 samples a second of 16 bits.
    bits.put(0xFFF8, 16);
    bits.put(0x79, 8);
    bits.put((channels.len() as u32 - 1) << 4 | 0b1000, 8);
    let mut coded = [0; 6];
    for &byte in long_utf8(number, &mut coded) {
        bits.byte(byte);
    }
    bits.put(length as u32 - 1, 16);
    let check = crc8(bits.bytes());
    bits.byte(check);
    for samples in channels {
        channel(&mut bits, samples);
    }
    bits.align();
    let check = crc16(bits.bytes());
    bits.put(u32::from(check), 16);
    bits.finish()
}

/// A channel: the first samples as they are, and the error of the fixed predictor for the rest.
fn channel(bits: &mut Bits, samples: &[i16]) {
    let samples: Vec<i32> = samples.iter().map(|&sample| i32::from(sample)).collect();
    let error = |order: usize| -> Vec<i32> {
        let mut all = samples.clone();
        for done in 0..order {
            for n in (done + 1..all.len()).rev() {
                all[n] -= all[n - 1];
            }
        }
        all.split_off(order.min(all.len()))
    };
    let cost = |errors: &[i32]| -> u64 {
        errors
            .iter()
            .map(|error| u64::from(error.unsigned_abs()))
            .sum()
    };
    let orders = 0..=2.min(samples.len().saturating_sub(1));
    let best = orders.map(|order| (order, error(order)));
    let Some((order, errors)) = best.min_by_key(|(_, errors)| cost(errors)) else {
        return;
    };
    bits.put(0b0001_0000 | (order as u32) << 1, 8);
    for &sample in &samples[..order] {
        bits.put(sample as u32, 16);
    }
    // Rice codes, all with one parameter: near the mean of the errors.
    let mean = 2 * cost(&errors) / errors.len().max(1) as u64;
    let parameter = mean.checked_ilog2().unwrap_or(0).min(14);
    bits.put(0, 2 + 4);
    bits.put(parameter, 4);
    for error in errors {
        let code = ((error << 1) ^ (error >> 31)) as u32;
        let mut zeros = code >> parameter;
        while zeros > 0 {
            let part = zeros.min(24);
            bits.put(0, part);
            zeros -= part;
        }
        bits.put(1, 1);
        bits.put(code, parameter);
    }
}

/// A number as UTF-8 would have it, if that had codes of 31 bits.
fn long_utf8(number: u32, out: &mut [u8; 6]) -> &[u8] {
    if number < 0x80 {
        out[0] = number as u8;
        return &out[..1];
    }
    let bits = u32::BITS - number.leading_zeros();
    let more = bits.saturating_sub(6).div_ceil(5).clamp(1, 5) as usize;
    for (n, byte) in out[1..=more].iter_mut().rev().enumerate() {
        *byte = 0x80 | (number >> (6 * n) & 0x3F) as u8;
    }
    let marks = !(0x7F_u8 >> more);
    out[0] = marks | (number >> (6 * more)) as u8;
    &out[..=more]
}

fn crc8(bytes: &[u8]) -> u8 {
    bytes.iter().fold(0, |crc, byte| {
        (0..8).fold(crc ^ byte, |crc: u8, _| {
            crc << 1 ^ if crc & 0x80 == 0 { 0 } else { 0x07 }
        })
    })
}

fn crc16(bytes: &[u8]) -> u16 {
    bytes.iter().fold(0, |crc, &byte| {
        (0..8).fold(crc ^ u16::from(byte) << 8, |crc: u16, _| {
            crc << 1 ^ if crc & 0x8000 == 0 { 0 } else { 0x8005 }
        })
    })
}
